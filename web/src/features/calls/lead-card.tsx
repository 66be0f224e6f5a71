import { Phone } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { formatMoment, formatPhone } from '#web/lib/format/format.ts';
import { Alert } from '#web/ui/feedback/alert.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import type { ShownLead } from './held-lead.ts';
import { Hours } from './hours.tsx';

/** Who is to be called: the number, large, where they are, and why they may be called. `websiteOf`: an address that may be opened. */
export function LeadCard({
  lead,
  practice,
  now,
  takesFocus,
  websiteOf,
  mayDial,
  onDial,
}: {
  lead: ShownLead;
  practice: boolean;
  now: number;
  /** Whether it has come in place of another lead, or on its way back. */
  takesFocus: boolean;
  websiteOf: (website: string) => string | undefined;
  /** Whether a press on the number does anything: it begins a call, or dials the one that was just begun. */
  mayDial: boolean;
  onDial: () => void;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);
  const owner = [lead.ownerName, lead.ownerTitle].filter(Boolean).join(', ');
  const website = lead.website ? websiteOf(lead.website) : undefined;
  return (
    <Card aria-label="Lead" className="grid grid-cols-1 gap-4 p-5">
      <div className="grid min-w-0 grid-cols-1 gap-1">
        <div className="flex flex-wrap items-center gap-2">
          <h2
            ref={heading}
            tabIndex={-1}
            dir="auto"
            className="min-w-0 break-words text-left font-semibold text-xl tracking-tight outline-none"
          >
            {lead.businessName}
          </h2>
          {lead.dueAt ? <Badge tone="info">Call back, {formatMoment(lead.dueAt)}</Badge> : null}
        </div>
        {owner ? (
          <p dir="auto" className="break-words text-left">
            {owner}
          </p>
        ) : null}
        {lead.address ? (
          <p dir="auto" className="break-words text-left text-secondary">
            {lead.address}
          </p>
        ) : null}
        {website ? (
          <p className="min-w-0 break-words">
            <a
              href={website}
              target="_blank"
              rel="noreferrer"
              className="text-accent underline-offset-4 hover:underline"
            >
              {lead.website}
            </a>
          </p>
        ) : null}
      </div>
      <p className="flex items-center gap-3 font-semibold text-3xl tabular-nums tracking-tight sm:text-4xl">
        <Phone aria-hidden className="size-6 shrink-0 text-faint" />
        {mayDial ? (
          // A link would dial by a middle click or from its menu, before the call is begun.
          <button
            type="button"
            onClick={onDial}
            className="select-text whitespace-nowrap rounded-sm text-accent underline-offset-4 hover:underline"
          >
            {formatPhone(lead.number)}
          </button>
        ) : (
          <span className="whitespace-nowrap">{formatPhone(lead.number)}</span>
        )}
      </p>
      {lead.isTaken ? (
        <Alert tone="warning" title="On another call sheet">
          Someone has this number open, or is on a call to it. Go on to the next lead.
        </Alert>
      ) : null}
      {lead.hasLeft ? (
        <Alert tone="warning" title="This lead left the list">
          {lead.open
            ? 'It was moved or deleted during your call. Say how the call ended.'
            : 'It was moved or deleted. A call that was made can still be logged.'}
        </Alert>
      ) : (
        <Hours lead={lead} practice={practice} now={now} />
      )}
    </Card>
  );
}
