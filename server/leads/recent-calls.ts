import { sql } from 'kysely';
import { longestCapMs, type Rule } from '#calling/rules/rule.ts';
import type { Db } from '#db/connection/client.ts';

/** At what moment calls are counted, in ms since 1970, and under which rules: the longest cap says how far back. */
export type Counting = { at: number; rules: readonly Rule[] };

const countedCalls = ({ at, rules }: Counting) =>
  sql`app.counted_calls(${new Date(at - longestCapMs(rules))}, ${new Date(at)})`;

/** When a number was called lately, in ms since 1970. `number` as app.phone_key has it. */
export type RecentCalls = (number: string, sandbox: boolean) => readonly number[];

/** When each number was called lately, or another of its business, by anyone here. Few numbers have calls, however many leads there are. */
export async function readRecentCalls(db: Db, counting: Counting): Promise<RecentCalls> {
  // By itself: PostgreSQL would read leads beside it by one process alone.
  const { rows } = await sql<{ number: string; sandbox: boolean; calls: number[] }>`
    select counted.number, counted.sandbox, counted.calls from ${countedCalls(counting)} as counted
  `.execute(db);
  const keyOf = (number: string, sandbox: boolean) => `${sandbox} ${number}`;
  const known = new Map(rows.map(({ number, sandbox, calls }) => [keyOf(number, sandbox), calls]));
  if (known.size === 0) return () => [];
  return (number, sandbox) => known.get(keyOf(number, sandbox)) ?? [];
}

/** When one number was called lately, or another of its business, in real lists. `number` as E.164, times in ms since 1970. */
export async function recentCallsTo(db: Db, number: string, counting: Counting): Promise<number[]> {
  const { rows } = await sql<{ calls: number[] }>`
    select counted.calls from ${countedCalls(counting)} as counted
    where counted.number = app.phone_key(${number}) and not counted.sandbox
  `.execute(db);
  return rows[0]?.calls ?? [];
}
