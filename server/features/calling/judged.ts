import type { CallAnswer } from '#calling/verdict.ts';
import type { Callability } from '#contract/calling/callability.ts';

/** How far ahead the next time for a call of a lead is looked for, in ms: two weeks. */
export const AHEAD_MS = 14 * 86_400_000;

export const isoOf = (time: number | undefined): string | undefined =>
  time === undefined ? undefined : new Date(time).toISOString();

/** When calls may begin, or until when, as the contract has it. */
const openingOf = ({ opensAt, closesAt }: CallAnswer['window']): { opensAt?: string; closesAt?: string } => {
  const [opens, closes] = [isoOf(opensAt), isoOf(closesAt)];
  return { ...(opens && { opensAt: opens }), ...(closes && { closesAt: closes }) };
};

export const judged = ({ verdict, window, zones, reasons, rulesAsOf }: CallAnswer): Callability => ({
  verdict,
  window: { state: window.state, ...openingOf(window) },
  zones,
  reasons,
  rulesAsOf,
});
