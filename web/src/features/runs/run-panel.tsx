import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Run, RunDetail } from '#contract/work/runs.ts';
import { ApiError, errorMessage } from '#web/lib/backend/api-error.ts';
import { MessageText } from '#web/lib/format/api-providers.tsx';
import { formatMoment, formatRate, plural } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import type { Tone } from '#web/ui/feedback/tone.ts';
import { Select } from '#web/ui/form/select.tsx';
import { Sheet } from '#web/ui/overlay/sheet.tsx';
import { runQuery, runsOfListQuery } from './api.ts';
import { LOST_AGAIN } from './call-words.ts';
import { CancelRun } from './cancel-run.tsx';
import { RunCalls } from './run-calls.tsx';
import { RunMoney } from './run-money.tsx';
import { isOpen } from './run-words.ts';
import { SettleDialog, type ToSettle } from './settle-dialog.tsx';
import { wordsOf } from './work-words.ts';

/** One run in detail, over the page: how far it is, what it has cost, why it stands still, and its calls. */
export function RunPanel({
  runId,
  onSwitch,
  onClose,
  action,
  remedy,
}: {
  runId: string;
  /** Shows another run of the same list. */
  onSwitch: (runId: string) => void;
  onClose: () => void;
  /** What can be done about a run that has ended. */
  action: (run: RunDetail) => ReactNode;
  /** What mends a failure. */
  remedy?: (run: RunDetail) => ReactNode;
}) {
  const run = useQuery(runQuery(runId));
  const gone = run.error instanceof ApiError && run.error.status === 404;
  return (
    <Sheet
      open
      onClose={onClose}
      title={run.data ? wordsOf(run.data).title : 'Run'}
      description={run.data ? <bdi>{run.data.listName}</bdi> : undefined}
    >
      {run.data ? (
        <Content run={run.data} action={action(run.data)} remedy={remedy?.(run.data)} onSwitch={onSwitch} />
      ) : gone ? (
        <EmptyState title="Run not found" description="It may have been deleted, or it may belong to someone else." />
      ) : run.isError ? (
        <ReadFailed title="The run could not be loaded" query={run}>
          {errorMessage(run.error)}
        </ReadFailed>
      ) : (
        <PanelSkeleton />
      )}
    </Sheet>
  );
}

function Content({
  run,
  action,
  remedy,
  onSwitch,
}: {
  run: RunDetail;
  action: ReactNode;
  remedy: ReactNode;
  onSwitch: (runId: string) => void;
}) {
  const [settling, setSettling] = useState<ToSettle>();
  const lost = run.calls.uncertain ?? 0;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <State run={run} />
        <History run={run} onSwitch={onSwitch} />
        <div className="ml-auto flex flex-wrap gap-2 empty:hidden">
          {isOpen(run) && !run.cancelling ? <CancelRun run={run} of={run.listName} size="sm" /> : action}
        </div>
      </div>
      <RunMoney run={run} />
      {run.errorMessage && !isOpen(run) ? (
        <Alert tone={run.state === 'failed' ? 'danger' : 'neutral'} action={remedy}>
          <MessageText text={run.errorMessage} />
        </Alert>
      ) : null}
      {lost > 0 && !isOpen(run) ? (
        <Alert
          tone="warning"
          title={lost === 1 ? 'One response was lost' : `${plural(lost, 'response')} were lost`}
          action={
            <Button size="sm" onClick={() => setSettling('all')}>
              {lost === 1 ? 'Settle' : 'Settle all'}
            </Button>
          }
        >
          {`${formatRate(run.uncertainMicros)} may have been charged, and counts as spent until you settle it.`}
          {` ${LOST_AGAIN[run.kind]}`}
        </Alert>
      ) : null}
      <RunCalls key={run.id} run={run} onSettle={setSettling} />
      {settling ? <SettleDialog run={run} what={settling} onClose={() => setSettling(undefined)} /> : null}
    </>
  );
}

const TONE: Record<Run['state'], Tone> = {
  queued: 'neutral',
  running: 'info',
  completed: 'success',
  failed: 'danger',
  cancelled: 'neutral',
};
const STATE: Record<Run['state'], string> = {
  queued: 'Waiting',
  running: 'Running',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Canceled',
};

function State({ run }: { run: RunDetail }) {
  const atLimit = run.errorCode === 'BOUND_REACHED';
  const text = run.cancelling ? 'Canceling' : atLimit ? 'Stopped at its limit' : STATE[run.state];
  return <Badge tone={TONE[run.state]}>{text}</Badge>;
}

/** When it was, or, of a list with several runs, which one to look at. */
function History({ run, onSwitch }: { run: RunDetail; onSwitch: (runId: string) => void }) {
  const { data = [] } = useQuery({
    ...runsOfListQuery(run.listId ?? '', isOpen(run)),
    enabled: run.listId !== null,
  });
  if (data.length < 2)
    return (
      <time dateTime={run.createdAt} className="text-secondary text-sm tabular-nums">
        {formatMoment(run.createdAt)}
      </time>
    );
  return (
    <Select
      aria-label="Run shown"
      size="sm"
      value={run.id}
      onValueChange={onSwitch}
      options={data.map((one) => ({
        value: one.id,
        label: `${wordsOf(one).title} · ${formatMoment(one.createdAt)}`,
      }))}
      className="w-76 max-w-full max-sm:order-last max-sm:w-full"
    />
  );
}

function PanelSkeleton() {
  return (
    <div role="status" className="grid animate-fade-in gap-5 [animation-delay:150ms] [animation-fill-mode:both]">
      <span className="sr-only">Loading the run</span>
      <Skeleton className="h-7 w-56" />
      <Skeleton className="h-20 rounded-lg" />
      <Skeleton className="h-64 rounded-lg" />
    </div>
  );
}
