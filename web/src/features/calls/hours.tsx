import type { SheetLead } from '#contract/calling/calls.ts';
import { formatDate, formatDay, formatTimesIn } from '#web/lib/format/format.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import type { Tone } from '#web/ui/feedback/tone.ts';
import { LAST_CALL_MS } from './keep-current.ts';
import { localTimes, timeIn, zonesText } from './local-time.ts';

const VERDICTS: Record<SheetLead['callability']['verdict'], { label: string; tone: Tone }> = {
  callable: { label: 'Callable now', tone: 'success' },
  not_now: { label: 'Not now', tone: 'warning' },
  blocked: { label: 'Blocked', tone: 'danger' },
  review: { label: 'Needs review', tone: 'warning' },
  unknown: { label: 'Unknown', tone: 'neutral' },
};

/** What time it is there, whether a call may begin, until when, and by which rules. `now`: the server's time in ms. */
export function Hours({ lead, practice, now }: { lead: SheetLead; practice: boolean; now: number }) {
  const { verdict, window, zones, reasons, rulesAsOf } = lead.callability;
  const closing = window.closesAt ? Date.parse(window.closesAt) - LAST_CALL_MS : undefined;
  const isOver = closing !== undefined && now >= closing;
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

function windowText({ callability }: SheetLead, now: number, isOver: boolean): string {
  const { window, zones } = callability;
  const [zone] = zones;
  if (window.closesAt && !isOver) {
    const last = new Date(Date.parse(window.closesAt) - LAST_CALL_MS).toISOString();
    return `Calls may begin until ${timeIn(zone, last, now)}.`;
  }
  return window.opensAt ? `Calls may begin from ${timeIn(zone, window.opensAt, now)}.` : '';
}
