import { parseAccept } from 'hono/utils/accept';

/** How a body may be encoded here; the first is the smallest. */
export const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number] | 'identity';

/**
 * The coding to send, of those that are there, by the client's `Accept-Encoding`.
 * - The highest q-value wins; among equal ones the smallest body, and plain text last.
 * - Without the header, and when nothing that is there is accepted: `identity`.
 */
export function chooseCoding(header: string | undefined, available: readonly Coding[]): Coding {
  if (!header) return 'identity';
  const accepted = parseAccept(header).map(({ type, q }) => ({ type: type.toLowerCase(), q }));
  const named = (coding: string) => accepted.find(({ type }) => type === coding)?.q;
  const rest = named('*');
  // Plain text is accepted unless it is named, but anyone who names codings prefers them.
  const qualityOf = (coding: Coding): number => named(coding) ?? rest ?? (coding === 'identity' ? Number.MIN_VALUE : 0);
  let best: { coding: Coding; quality: number } = { coding: 'identity', quality: qualityOf('identity') };
  for (const coding of CODINGS.toReversed()) {
    const quality = qualityOf(coding);
    if (available.includes(coding) && quality > 0 && quality >= best.quality) best = { coding, quality };
  }
  return best.coding;
}
