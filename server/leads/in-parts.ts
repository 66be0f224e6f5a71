import { type RawBuilder, sql } from 'kysely';

/** Leads that are read at a time. */
const PART = 2_000;

/** Which leads are read next, in a query where public.leads is called `lead`: `behind` is a condition, `most` a number. */
type Part = { behind: RawBuilder<boolean>; most: RawBuilder<number> };

/**
 * Reads leads of a list in the order of their positions, some at a time: a long list in one answer would keep all others waiting.
 * - `read`: reads a part, in that order.
 * - `named`: the ids of the leads, where they are named. Those are read at once: each part would send all of them again.
 */
export async function* inParts<Row extends { position: number }>(
  read: (part: Part) => Promise<readonly Row[]>,
  named?: readonly string[],
): AsyncGenerator<readonly Row[]> {
  for (let after = -1; ; ) {
    const rows = await read({ behind: sql`lead.position > ${after}`, most: named ? sql`null` : sql`${PART}` });
    if (rows.length > 0) yield rows;
    if (named || rows.length < PART) return;
    after = rows.at(-1)?.position ?? after;
  }
}
