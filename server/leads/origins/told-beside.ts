import { sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';

/** Pairs looked up at a time, and the longest value in characters. */
const AT_ONCE = 5_000;
const LONGEST = 300;

/** A cell that may be an address, and the name of a business in the same row. */
export type Pair = readonly [name: string, value: string];

/** Says which values were told as addresses of the businesses beside them, and by whom. `isBefore`: which of two origins counts. */
export async function readToldBeside(
  tx: Tx,
  userId: string,
  pairs: readonly Pair[],
  isBefore: (one: string, other: string) => boolean,
): Promise<(pair: Pair) => string | undefined> {
  const asked = [...new Map(pairs.filter(mayBeKnown).map((pair) => [JSON.stringify(pair), pair])).values()];
  const told = new Map<string, string>();
  for (let from = 0; from < asked.length; from += AT_ONCE) {
    const part = asked.slice(from, from + AT_ONCE);
    const { rows } = await sql<{ name: string; value: string; origin: string }>`
      select name, value, origin from app.told_beside(
        ${userId}::uuid, ${part.map(([name]) => name)}::text[], ${part.map(([, value]) => value)}::text[])
    `.execute(tx);
    for (const { name, value, origin } of rows) {
      const pair = JSON.stringify([name, value]);
      const before = told.get(pair);
      if (before === undefined || isBefore(origin, before)) told.set(pair, origin);
    }
  }
  return (pair) => told.get(JSON.stringify(pair));
}

/** A house number with its street is known by itself. */
function mayBeKnown([name, value]: Pair): boolean {
  const [start = ''] = value.split(',', 1);
  return name !== value && value.length <= LONGEST && /\p{L}/u.test(value) && !/\d.*\p{L}/su.test(start);
}
