import type { CallAnswer } from '#calling/verdict.ts';
import type { Callability } from '#contract/calling/callability.ts';

export const isoOf = (time: number | undefined): string | undefined =>
  time === undefined ? undefined : new Date(time).toISOString();

/** When calls may begin, or until when, as the contract has it. */
export const openingOf = ({ opensAt, closesAt }: CallAnswer['window']): { opensAt?: string; closesAt?: string } => {
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
