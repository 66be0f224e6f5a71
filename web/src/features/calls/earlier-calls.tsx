import type { LoggedCall } from '#contract/calling/calls.ts';
import { formatMoment, formatTime } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { outcomeLabel } from './call-words.ts';

/** The calls to this number before the one under way, the newest first. Notes of others are theirs. */
export function EarlierCalls({
  calls,
  onSay,
}: {
  calls: readonly LoggedCall[];
  /** Someone wants to say how their own call ended. Not offered where it is undefined. */
  onSay: ((call: LoggedCall) => void) | undefined;
}) {
  return (
    <section aria-label="Earlier calls" className="grid grid-cols-1 gap-2">
      <h3 className="font-semibold">Earlier calls</h3>
      {calls.length === 0 ? <p className="text-secondary">No one here has called this number before.</p> : null}
      <ul className="grid grid-cols-1 gap-2 empty:hidden">
        {calls.map((call) => (
          <li key={call.id} className="grid grid-cols-1 gap-0.5 border-t pt-2 first:border-t-0 first:pt-0">
            <p className="flex flex-wrap items-center gap-2">
              <span title={formatTime(call.calledAt)} className="tabular-nums">
                {formatMoment(call.calledAt)}
              </span>
              <Badge>{outcomeLabel(call.outcome)}</Badge>
              {call.verdict === 'callable' ? null : <Badge tone="warning">Not callable at that time</Badge>}
              {call.isOwn && call.outcome === null && onSay ? (
                <Button size="sm" variant="link" onClick={() => onSay(call)}>
                  Say How It Ended
                </Button>
              ) : null}
              {call.isOwn ? null : <span className="text-secondary text-sm">by someone else here</span>}
            </p>
            {call.callBackAt ? (
              <p className="text-secondary text-sm">Call back {formatMoment(call.callBackAt)}</p>
            ) : null}
            {call.note ? (
              <p dir="auto" className="whitespace-pre-line break-words text-left">
                {call.note}
              </p>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}
