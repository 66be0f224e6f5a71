import type { RunDetail } from '#contract/work/runs.ts';
import { formatExact } from '#web/lib/format/format.ts';
import { Progress } from '#web/ui/feedback/progress.tsx';
import {
  emptySearchReason,
  isOpen,
  queueText,
  runProgress,
  runRemainder,
  runResult,
  waitingText,
} from './run-words.ts';

/** How far a run has come and what it has spent of what it may. */
export function RunMoney({ run }: { run: RunDetail }) {
  const open = isOpen(run);
  const progress = runProgress(run);
  const waiting = open ? waitingText(run) : undefined;
  const remainder = runRemainder(run) ?? (open ? undefined : emptySearchReason(run.search));
  return (
    <div className="grid gap-3 rounded-lg border bg-surface px-4 py-3">
      <dl className="flex flex-wrap gap-x-8 gap-y-3 tabular-nums">
        <Figure label="Spent" value={formatExact(run.costMicros)} />
        <Figure label="Charged at most" value={formatExact(run.boundMicros)} />
      </dl>
      <div className="grid gap-1.5">
        <p className="text-secondary text-sm tabular-nums">
          {open ? (queueText(run) ?? progress.text) : runResult(run)}
        </p>
        {run.state === 'running' ? <Progress value={progress.percent} label="Progress of this run" /> : null}
        {waiting ? (
          <p role="status" className="text-sm text-warning">
            {waiting}
          </p>
        ) : null}
        {remainder ? <p className="text-faint text-sm first-letter:uppercase">{remainder}</p> : null}
      </div>
    </div>
  );
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt className="text-secondary text-sm">{label}</dt>
      <dd className="font-semibold text-lg">{value}</dd>
    </div>
  );
}
