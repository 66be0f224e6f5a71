import { type RawBuilder, sql } from 'kysely';
import { longestCapMs, type Rule } from '#calling/rules/rule.ts';
import type { Db } from '#db/connection/client.ts';

/** At what moment calls are counted, in ms since 1970, and under which rules: the longest cap says how far back. */
export type Counting = { at: number; rules: readonly Rule[] };

const isRecent = ({ at, rules }: Counting): RawBuilder<boolean> => sql`(
  call.withdrawn_at is null and call.called_at > ${new Date(at - longestCapMs(rules))} and call.called_at <= ${new Date(at)})`;
const IN_MS = sql<number>`(extract(epoch from call.called_at) * 1000)::double precision`;

/**
 * When each number was called lately, or another of its business, by anyone here: a join for queries with public.leads as `lead` and public.lists as `list`.
 * Few numbers have calls, so those are read once, however many leads there are. `recent.calls` in ms since 1970, else null.
 */
export const joinRecentCalls = (counting: Counting) => sql`
  left join (
    select 'phone:' || called.number as key, call.sandbox, array_agg(${IN_MS}) as calls
    from app.calls as call cross join lateral unnest(call.phone || call.beside) as called (number)
    where ${isRecent(counting)} group by called.number, call.sandbox
  ) as recent on recent.key = lead.contact_keys[1] and recent.sandbox = coalesce(list.sandbox, false)`;

/** When one number was called lately, or another of its business, in real lists. `number` as E.164, times in ms since 1970. */
export async function recentCallsTo(db: Db, number: string, counting: Counting): Promise<number[]> {
  const { rows } = await sql<{ at: number }>`
    select ${IN_MS} as at from app.calls as call
    where app.phone_key(${number}) = any(call.phone || call.beside) and not call.sandbox and ${isRecent(counting)}
  `.execute(db);
  return rows.map((row) => row.at);
}
