import type { ReactNode } from 'react';
import type { Run } from '#contract/work/runs.ts';
import { useNow } from '#web/lib/browser/use-now.ts';
import { formatExact } from '#web/lib/format/format.ts';
import { timeLeftText } from '#web/lib/format/time-left.ts';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { Progress } from '#web/ui/feedback/progress.tsx';
import { currentRun, isOpen, runProgress, secondsLeft, waitingText } from './run-words.ts';
import { wordsOf } from './work-words.ts';

/** How often the time left is counted again, in ms. */
const TICK_MS = 5_000;

/** What is being done to a list right now. Without a run (it is being handed over) it says that it starts. */
export function RunProgressNotice({
  runs,
  more,
  action,
}: {
  runs: readonly Run[];
  /** Stands below how far it is. */
  more?: ReactNode;
  action?: ReactNode;
}) {
  const run = currentRun(runs);
  const progress = run ? runProgress(run) : { text: 'Starting', percent: undefined };
  const title = run ? wordsOf(run).doing : 'Data Processing';
  const now = useNow(TICK_MS);
  const waiting = runs.filter((other) => isOpen(other) && other !== run);
  return (
    <Alert tone="info" title={title} action={action}>
      <div className="mt-1 grid gap-2 text-sm">
        <p className="flex flex-wrap justify-between gap-x-4 tabular-nums">
          <span>
            {[progress.text, run && timeLeftText(secondsLeft(run, now))].filter(Boolean).join(' · ')}
            {waiting.length > 0
              ? ` · then ${waiting.map((other) => wordsOf(other).doing.toLowerCase()).join(', ')}`
              : null}
          </span>
          {run ? (
            <span className="text-secondary">
              {`${formatExact(run.costMicros)} spent, ${formatExact(run.boundMicros ?? run.estimateMicros)} at most`}
            </span>
          ) : null}
        </p>
        {more}
        <Progress value={progress.percent} label={`${title}, progress`} />
        {run && waitingText(run) ? <p className="text-warning">{waitingText(run)}</p> : null}
        <p className="text-secondary">It keeps running when you leave this page.</p>
      </div>
    </Alert>
  );
}
