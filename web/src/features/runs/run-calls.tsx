import { useInfiniteQuery } from '@tanstack/react-query';
import { ReceiptText } from 'lucide-react';
import { useState } from 'react';
import { CALL_STATES, type CallState, type PaidCall } from '#contract/money/paid-calls.ts';
import type { RunDetail } from '#contract/work/runs.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { formatClock, formatCount, formatDate, formatRate, formatTime } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { TableSkeleton } from '#web/ui/table/table-skeleton.tsx';
import { callsQuery } from './api.ts';
import { STATE_LABEL, stateOf, subjectText } from './call-words.ts';
import { isOpen } from './run-words.ts';

/** The calls of a run, those sent last first, all or in one state. */
export function RunCalls({ run, onSettle }: { run: RunDetail; onSettle: (call: PaidCall) => void }) {
  const [state, setState] = useState<CallState>();
  const calls = useInfiniteQuery(callsQuery(run, state, isOpen(run)));
  const all = Object.values(run.calls).reduce((sum, count) => sum + count, 0);
  const states = CALL_STATES.filter((one) => run.calls[one] || one === state);
  const rows = calls.data?.pages.flatMap((page) => page.calls);
  return (
    <section aria-labelledby="run-calls" className="grid grid-cols-1 gap-2">
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h3 id="run-calls" className="font-semibold">
          Calls
        </h3>
        {states.length > 1 || state ? (
          <Select
            aria-label="Calls shown"
            size="sm"
            value={state ?? 'all'}
            onValueChange={(chosen) => setState(chosen === 'all' ? undefined : chosen)}
            options={[
              { value: 'all', label: `All (${formatCount(all)})` },
              ...states.map((one) => ({
                value: one,
                label: `${STATE_LABEL[one]} (${formatCount(run.calls[one] ?? 0)})`,
              })),
            ]}
            className="w-44"
          />
        ) : null}
      </div>
      {calls.isError && !rows ? (
        <ReadFailed title="The calls could not be loaded" query={calls}>
          {errorMessage(calls.error)}
        </ReadFailed>
      ) : !rows ? (
        <CallsSkeleton />
      ) : rows.length === 0 ? (
        <EmptyState
          icon={ReceiptText}
          title={state ? 'No call is in this state' : isOpen(run) ? 'No calls yet' : 'No calls'}
          description={
            state
              ? undefined
              : isOpen(run)
                ? 'Calls to the provider appear here.'
                : 'No call to the provider was needed, so nothing was charged.'
          }
          className="py-10"
        />
      ) : (
        <>
          <ul aria-labelledby="run-calls" className="divide-y rounded-lg border bg-surface">
            {rows.map((call) => (
              <CallRow key={call.id} call={call} runAt={run.createdAt} onSettle={onSettle} />
            ))}
          </ul>
          {calls.hasNextPage ? (
            <Button
              size="sm"
              className="justify-self-center"
              pending={calls.isFetchingNextPage}
              onClick={() => void calls.fetchNextPage()}
            >
              Show more
            </Button>
          ) : null}
        </>
      )}
    </section>
  );
}

function CallRow({
  call,
  runAt,
  onSettle,
}: {
  call: PaidCall;
  /** When the run began: what happened on the same day needs no date. */
  runAt: string;
  onSettle: (call: PaidCall) => void;
}) {
  const { text, tone } = stateOf(call);
  const subject = subjectText(call);
  const problem = call.state === 'failed' || call.state === 'uncertain' ? call.errorMessage : null;
  const at = call.settledByHandAt ?? call.settledAt ?? call.sentAt ?? call.plannedAt;
  const notes = [
    ...(call.attempts > 1 ? [`sent ${call.attempts} times`] : []),
    formatDate(at) === formatDate(runAt) ? formatClock(at) : formatTime(at),
  ];
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-0.5 px-3 py-2 sm:grid-cols-[minmax(0,1fr)_auto_9rem_4rem]">
      <p className="truncate" title={subject}>
        {subject}
      </p>
      <p className="text-secondary text-sm tabular-nums max-sm:row-start-2">{notes.join(' · ')}</p>
      <p className="flex items-center justify-end gap-2 max-sm:row-start-2">
        {call.state === 'uncertain' ? (
          <Button size="sm" variant="link" onClick={() => onSettle(call)}>
            Settle
            <span className="sr-only"> {subject}</span>
          </Button>
        ) : null}
        <Badge tone={tone}>{text}</Badge>
      </p>
      <p className={`text-right tabular-nums ${call.costMicros > 0 ? '' : 'text-faint'}`}>
        <span className="sr-only">spent </span>
        {formatRate(call.costMicros)}
      </p>
      {problem ? <p className="col-span-full break-words text-secondary text-sm">{problem}</p> : null}
    </li>
  );
}

function CallsSkeleton() {
  return (
    <TableSkeleton label="Loading the calls" rows={6} headClassName="hidden" rowClassName="h-10">
      <Skeleton className="min-w-0 flex-1" />
      <Skeleton className="w-20 shrink-0" />
      <Skeleton className="w-12 shrink-0" />
    </TableSkeleton>
  );
}
