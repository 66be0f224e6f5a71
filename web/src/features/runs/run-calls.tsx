import { useInfiniteQuery } from '@tanstack/react-query';
import { ReceiptText } from 'lucide-react';
import { useState } from 'react';
import { CALL_STATES, type CallState, type PaidCall } from '#contract/paid-calls.ts';
import type { RunDetail } from '#contract/runs.ts';
import { errorMessage } from '#web/lib/api-error.ts';
import { formatCount, formatMoney, formatTime } from '#web/lib/format.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ReadFailed } from '#web/ui/read-failed.tsx';
import { Select } from '#web/ui/select.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '#web/ui/table.tsx';
import { TableSkeleton } from '#web/ui/table-skeleton.tsx';
import { callsQuery } from './api.ts';
import { STATE_LABEL, stateOf, subjectHeading, subjectText } from './call-words.ts';
import { isOpen } from './run-words.ts';

/** The calls of a run, newest first, all or in one state. */
export function RunCalls({ run, onSettle }: { run: RunDetail; onSettle: (call: PaidCall) => void }) {
  const [state, setState] = useState<CallState>();
  const calls = useInfiniteQuery(callsQuery(run.id, state, isOpen(run)));
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
        <ReadFailed title="The calls could not be read" query={calls}>
          {errorMessage(calls.error)}
        </ReadFailed>
      ) : !rows ? (
        <CallsSkeleton />
      ) : rows.length === 0 ? (
        <EmptyState
          icon={ReceiptText}
          title={state ? `No call is in this state` : 'No calls yet'}
          description={
            state
              ? undefined
              : isOpen(run)
                ? 'What is asked of the provider appears here.'
                : 'Nothing had to be asked of the provider, so nothing was charged.'
          }
          className="py-10"
        />
      ) : (
        <>
          <CallsTable run={run} calls={rows} onSettle={onSettle} />
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

function CallsTable({
  run,
  calls,
  onSettle,
}: {
  run: RunDetail;
  calls: readonly PaidCall[];
  onSettle: (call: PaidCall) => void;
}) {
  return (
    <Table label="Calls of this run" className="table-fixed">
      <TableHeader>
        <tr>
          <TableHead>{subjectHeading(run.kind)}</TableHead>
          <TableHead className="w-40 max-sm:w-32">State</TableHead>
          <TableHead className="w-20 text-right">Booked</TableHead>
          <TableHead className="w-52 max-md:hidden">Time</TableHead>
        </tr>
      </TableHeader>
      <TableBody>
        {calls.map((call) => (
          <Row key={call.id} call={call} onSettle={onSettle} />
        ))}
      </TableBody>
    </Table>
  );
}

function Row({ call, onSettle }: { call: PaidCall; onSettle: (call: PaidCall) => void }) {
  const { text, tone } = stateOf(call);
  const subject = subjectText(call);
  const time = formatTime(call.settledAt ?? call.sentAt ?? call.plannedAt);
  const problem = call.state === 'failed' || call.state === 'uncertain' ? call.errorMessage : null;
  return (
    <TableRow>
      <TableCell className="align-top">
        <p className="truncate leading-6" title={subject}>
          {subject}
        </p>
        {problem ? <p className="break-words text-secondary text-sm">{problem}</p> : null}
        <p className="text-secondary text-sm tabular-nums md:hidden">{time}</p>
        {call.attempts > 1 ? <p className="text-secondary text-sm">{`Asked ${call.attempts} times`}</p> : null}
      </TableCell>
      <TableCell className="align-top">
        <div className="flex min-h-6 flex-wrap items-center gap-1.5">
          <Badge tone={tone}>{text}</Badge>
          {call.state === 'uncertain' ? (
            <Button size="sm" variant="link" onClick={() => onSettle(call)}>
              Settle
              <span className="sr-only"> {subject}</span>
            </Button>
          ) : null}
        </div>
      </TableCell>
      <TableCell className="text-right align-top leading-6 tabular-nums">{formatMoney(call.costMicros)}</TableCell>
      <TableCell className="whitespace-nowrap align-top text-secondary text-sm leading-6 tabular-nums max-md:hidden">
        {time}
      </TableCell>
    </TableRow>
  );
}

function CallsSkeleton() {
  return (
    <TableSkeleton label="Loading the calls" rows={6} rowClassName="h-10">
      <Skeleton className="min-w-0 flex-1" />
      <Skeleton className="w-20 shrink-0" />
      <Skeleton className="w-12 shrink-0" />
      <Skeleton className="w-40 shrink-0 max-md:hidden" />
    </TableSkeleton>
  );
}
