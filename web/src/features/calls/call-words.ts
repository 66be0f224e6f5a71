import type { CallOutcome } from '#contract/calling/calls.ts';

/** What each outcome is called, and its key on the call sheet. */
export const OUTCOMES: readonly { outcome: CallOutcome; label: string; key: string }[] = [
  { outcome: 'reached', label: 'Reached', key: 'r' },
  { outcome: 'no_answer', label: 'No answer', key: 'a' },
  { outcome: 'voicemail', label: 'Voicemail', key: 'v' },
  { outcome: 'call_back', label: 'Call back', key: 'b' },
  { outcome: 'wrong_number', label: 'Wrong number', key: 'w' },
  { outcome: 'do_not_call', label: 'Do not call', key: 'd' },
];

export const outcomeLabel = (outcome: CallOutcome | null): string =>
  OUTCOMES.find((one) => one.outcome === outcome)?.label ?? 'No outcome yet';

/** Keys of the call sheet besides those of the outcomes. */
export const KEYS = { call: 'c', note: 'e', next: 'j', undo: 'u', notMade: 'x' } as const;
