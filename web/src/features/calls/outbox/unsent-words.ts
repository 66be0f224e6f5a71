import { isSuppressing } from '#contract/calling/suppressing-outcomes.ts';
import { outcomeLabel } from '#web/features/calls/call-words.ts';
import { formatPhone, plural } from '#web/lib/format/format.ts';
import type { Refused, WaitingCall } from './outbox.ts';

/** Calls that are named; the others are counted. */
const MOST_NAMED = 3;

/** "Do not call · Alder Dental" */
const nameOf = ({ outcome, lead }: WaitingCall): string =>
  lead ? `${outcomeLabel(outcome)} · ${lead.name}` : outcomeLabel(outcome);

/** Names the calls that wait: "Do not call · Alder Dental, Reached · Birch Dental and 2 more" */
export function namesOf(calls: readonly WaitingCall[]): string {
  const others = calls.length - MOST_NAMED;
  return `${calls.slice(0, MOST_NAMED).map(nameOf).join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
}

/** "1 outcome not sent yet" */
export const unsentTitle = (count: number): string => `${plural(count, 'outcome')} not sent yet`;

export const signInToSend = (count: number): string => `Sign in to send ${count === 1 ? 'it' : 'them'}.`;

/** Says which call was refused for good, why, and what that means for its number. */
export function refusalWords({ call, why, suppressed }: Refused): { title: string; text: string } {
  return {
    title: `Not logged: ${nameOf(call)}`,
    text: [why, afterRefusal(call, suppressed)].filter(Boolean).join(' '),
  };
}

function afterRefusal({ outcome, lead }: WaitingCall, suppressed: boolean): string | undefined {
  if (suppressed) return `${formatPhone(lead?.number ?? '')} is suppressed all the same.`;
  const isPractice = lead !== undefined && lead.number === undefined;
  if (isPractice || !isSuppressing(outcome)) return undefined;
  return `${lead?.number ? formatPhone(lead.number) : 'Its number'} is not suppressed. Add it to the suppression list.`;
}
