import { useQuery } from '@tanstack/react-query';
import type { LeadCallability } from '#contract/calling/callability.ts';
import { errorMessage } from '#web/lib/backend/api-error.ts';
import { useNow } from '#web/lib/browser/use-now.ts';
import { CALL_TONES, CALL_WORDS, opensText } from '#web/lib/calling/call-words.ts';
import { useOfNow } from '#web/lib/calling/use-of-now.ts';
import { formatDate, formatDay, formatTimesIn } from '#web/lib/format/format.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { ReadFailed } from '#web/ui/feedback/read-failed.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { leadCallQuery } from './api.ts';
import { headline, SCOPE_WORDS } from './call-lines.ts';

/** Whether a lead may be called now: the reasoning line by line, each with its source, and what was not looked at. */
export function CallPanel({ leadId }: { leadId: string }) {
  const call = useQuery(leadCallQuery(leadId));
  const ofNow = useOfNow(call);
  if (ofNow) return <Reasoning call={ofNow} />;
  if (call.isError) {
    return (
      <ReadFailed title="The verdict could not be loaded" query={call}>
        {errorMessage(call.error)}
      </ReadFailed>
    );
  }
  return (
    <div role="status" className="grid gap-2 rounded-lg border bg-surface px-4 py-3">
      <span className="sr-only">Reading whether this lead can be called</span>
      <Skeleton className="w-40" />
      <Skeleton className="w-72 max-w-full" />
      <Skeleton className="w-64 max-w-full" />
    </div>
  );
}

function Reasoning({ call }: { call: LeadCallability }) {
  const now = useNow();
  const { verdict, reasons, zones, callFrom, callTo, scope, notChecked, rulesAsOf } = call;
  return (
    <section aria-label="Call" className="grid min-w-0 gap-3 rounded-lg border bg-surface px-4 py-3">
      <div className="grid gap-1">
        <h3 className="flex items-center gap-2 text-secondary text-sm">
          Call
          <Badge tone={CALL_TONES[verdict]}>{CALL_WORDS[verdict]}</Badge>
        </h3>
        <p className="break-words">{headline(call, now)}</p>
      </div>
      <ol aria-label="Why" className="grid gap-2 border-t pt-3">
        {reasons.map(({ code, text, citation, effectiveFrom }) => (
          <li key={`${code} ${text}`} className="grid min-w-0">
            <span className="break-words">{formatTimesIn(text)}</span>
            {citation ? (
              <span className="break-words text-secondary text-sm">
                {citation}
                {effectiveFrom ? `, from ${formatDay(effectiveFrom)}` : ''}
              </span>
            ) : null}
          </li>
        ))}
      </ol>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 border-t pt-3 text-sm">
        <dt className="text-secondary">Time zones</dt>
        <dd className="break-words">{zones.length > 0 ? zones.join(', ') : 'Not known'}</dd>
        {verdict === 'callable' && callTo ? (
          <>
            <dt className="text-secondary">Calls may begin</dt>
            <dd>until {opensText(callTo, now)}, your time</dd>
          </>
        ) : callFrom && verdict !== 'callable' ? (
          <>
            <dt className="text-secondary">Calls may begin</dt>
            <dd>from {opensText(callFrom, now)}, your time</dd>
          </>
        ) : null}
        <dt className="text-secondary">Checked on</dt>
        <dd>{checkedText(call)}</dd>
        <dt className="text-secondary">Protected</dt>
        <dd>{SCOPE_WORDS[scope]}</dd>
        <dt className="text-secondary">Rules as of</dt>
        <dd>{formatDay(rulesAsOf)}</dd>
      </dl>
      <details className="border-t pt-3 text-sm">
        <summary className="cursor-pointer rounded-sm">What was not checked</summary>
        <ul className="mt-2 grid list-disc gap-1 pl-5 text-secondary">
          {notChecked.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      </details>
      <p className="text-secondary text-sm">
        This is not legal advice. Have counsel review the table of rules before you rely on it.
      </p>
    </section>
  );
}

function checkedText({ checkedOn, expiresOn }: LeadCallability): string {
  if (!checkedOn) return 'Never';
  return `${formatDate(checkedOn)}${expiresOn ? `, counts until ${formatDate(expiresOn)}` : ''}`;
}
