/** What may be said of a call: now, later, never, after someone has looked, or not known. */
export const CALL_VERDICTS = ['callable', 'not_now', 'blocked', 'review', 'unknown'] as const;
export type CallVerdict = (typeof CALL_VERDICTS)[number];
