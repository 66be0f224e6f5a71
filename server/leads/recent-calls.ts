import { sql } from 'kysely';
import { longestCapMs, type Rule } from '#calling/rules/rule.ts';
import type { Db } from '#db/connection/client.ts';

/** At what moment calls are counted, in ms since 1970, and under which rules: the longest cap says how far back. */
export type Counting = { at: number; rules: readonly Rule[] };

const countedCalls = ({ at, rules }: Counting) =>
  sql`app.counted_calls(${new Date(at - longestCapMs(rules))}, ${new Date(at)})`;

/**
 * When each number was called lately, or another of its business, by anyone here: a join for queries with public.leads as `lead` and public.lists as `list`.
 * Few numbers have calls, so those are read once, however many leads there are. `recent.calls` in ms since 1970, else null.
 */
export const joinRecentCalls = (counting: Counting) => sql`
  left join (
    select 'phone:' || counted.number as key, counted.sandbox, counted.calls from ${countedCalls(counting)} as counted
  ) as recent on recent.key = lead.contact_keys[1] and recent.sandbox = coalesce(list.sandbox, false)`;

/** When one number was called lately, or another of its business, in real lists. `number` as E.164, times in ms since 1970. */
export async function recentCallsTo(db: Db, number: string, counting: Counting): Promise<number[]> {
  const { rows } = await sql<{ calls: number[] }>`
    select counted.calls from ${countedCalls(counting)} as counted
    where counted.number = app.phone_key(${number}) and not counted.sandbox
  `.execute(db);
  return rows[0]?.calls ?? [];
}
