import type { CallScope } from '#contract/calling/call-scopes.ts';
import type { LeadCallability } from '#contract/calling/callability.ts';
import { opensText } from '#web/lib/calling/call-words.ts';
import { formatDate, formatHour } from '#web/lib/format/format.ts';

export const SCOPE_WORDS: Record<CallScope, string> = {
  every_line: 'Every line: the strictest rule applies',
  business_landlines: 'Landlines count as verified business lines',
};

/** What is said first of a call: what holds now, since when it was checked, and under which rule. */
export function headline(call: LeadCallability, now: number): string {
  const { verdict, today, zones, checkedOn, callFrom } = call;
  switch (verdict) {
    case 'callable': {
      const clock = zones.length > 1 ? ` by clocks of ${today?.zone}` : '';
      const hours = today
        ? `, window ${formatHour(today.from)}–${formatHour(today.to)}${clock} (${today.citation})`
        : '';
      return `Callable now: checked on ${checkedOn ? formatDate(checkedOn) : 'no known day'}${hours}.`;
    }
    case 'not_now':
      return callFrom ? `Not now. It opens ${opensText(callFrom, now)}, your time.` : 'Not now, nor within two weeks.';
    case 'blocked':
      return 'Do not call.';
    case 'review':
      return callFrom
        ? `Someone must look at this before a call: sources disagree. All of them let calls begin from ${opensText(callFrom, now)}, your time.`
        : 'Someone must look at this before a call: sources disagree.';
    case 'unknown':
      return 'Something is missing. Until it is known, this lead does not count as callable.';
  }
}
