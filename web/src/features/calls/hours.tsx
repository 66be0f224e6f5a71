import type { SheetLead } from '#contract/calling/calls.ts';
import { formatDate, formatDay, formatTimesIn } from '#web/lib/format/format.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import type { Tone } from '#web/ui/feedback/tone.ts';
import { localTimes, timesIn, zonesText } from './local-time.ts';

/** The time that is shown may be so much behind, in ms. */
const TICK_MS = 1_000;

const VERDICTS: Record<SheetLead['callability']['verdict'], { label: string; tone: Tone }> = {
  callable: { label: 'Callable now', tone: 'success' },
  not_now: { label: 'Not now', tone: 'warning' },
  blocked: { label: 'Blocked', tone: 'danger' },
  review: { label: 'Needs review', tone: 'warning' },
  unknown: { label: 'Unknown', tone: 'neutral' },
};

/** What time it is there, whether a call may begin, until when, and by which rules. `now`: the server's time in ms. */
export function Hours({ lead, practice, now }: { lead: SheetLead; practice: boolean; now: number }) {
  const { verdict, callTo, zones, reasons, rulesAsOf } = lead.callability;
  const isOver = callTo !== undefined && now >= Date.parse(callTo);
  const badge = practice
    ? ({ label: 'Practice only', tone: 'info' } as const)
    : VERDICTS[isOver && verdict === 'callable' ? 'not_now' : verdict];
  return (
    <section aria-label="Hours and rules" className="grid gap-3 border-t pt-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={badge.tone}>{badge.label}</Badge>
        <p className="tabular-nums">
          {zones.length > 0 ? (
            <>
              It is <strong className="font-semibold">{localTimes(zones, now).join(' or ')}</strong> there (
              {zonesText(zones)}).
            </>
          ) : (
            'The time there is not known.'
          )}{' '}
          <span className="text-secondary">{windowText(lead, now, isOver)}</span>
        </p>
      </div>
      <ul className="grid gap-1 text-sm">
        {reasons.map(({ code, text, citation, effectiveFrom }) => (
          <li key={`${code} ${text}`} className="[overflow-wrap:anywhere]">
            {formatTimesIn(text)} {citation ? <span className="text-secondary">({citation})</span> : null}
            {effectiveFrom ? <span className="text-secondary"> In force since {formatDay(effectiveFrom)}.</span> : null}
          </li>
        ))}
      </ul>
      <p className="text-faint text-sm">
        {lead.checkedAt ? `Checked against the lists on ${formatDate(lead.checkedAt)}. ` : ''}
        Rules as of {formatDay(rulesAsOf)}. Not checked: consent, your registrations, and who owns the number today.
      </p>
    </section>
  );
}

/** Hours that are open are no promise: only the next time for a call is told, or the last moment for one. */
function windowText({ callability, mayCall }: SheetLead, now: number, isOver: boolean): string {
  const { callFrom, callTo, zones } = callability;
  if (!callFrom || !callTo || isOver) return '';
  if (mayCall) return `Calls may begin until ${timesIn(zones, callTo, now)}.`;
  return Date.parse(callFrom) > now + TICK_MS ? `Calls may begin from ${timesIn(zones, callFrom, now)}.` : '';
}
