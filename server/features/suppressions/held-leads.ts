import { sql } from 'kysely';
import { MOST_COUNTED_LEADS, MOST_NAMED_HOLDERS, type SuppressionKind } from '#contract/calling/suppressions.ts';
import type { Db } from '#db/connection/client.ts';

/** How many leads, of anyone, carry one of these keys: at most MOST_COUNTED_LEADS. */
export async function countHeldLeads(db: Db, keys: readonly string[]): Promise<number> {
  const { rows } = await sql<{ leads: number }>`
    select count(*)::integer as leads
    from (select from public.leads where contact_keys && ${keys}::text[] limit ${MOST_COUNTED_LEADS}) as held
  `.execute(db);
  return rows[0]?.leads ?? 0;
}

/** Which entries hold leads back that carry this key: those that hold most come first, at most MOST_NAMED_HOLDERS. */
export async function otherHolders(db: Db, key: string): Promise<{ kind: SuppressionKind; value: string }[]> {
  const { rows } = await sql<{ kind: SuppressionKind; value: string }>`
    with held as materialized (
      select contact_keys from public.leads where contact_keys @> array[${key}::text] limit ${MOST_COUNTED_LEADS}
    )
    select entry.kind, substr(entry.key, length(entry.kind) + 2) as value
    from held join app.suppressions as entry on entry.key = any(held.contact_keys)
    group by entry.kind, entry.key order by count(*) desc, entry.key limit ${MOST_NAMED_HOLDERS}
  `.execute(db);
  return rows;
}

/**
 * Tells open pages that what holds leads back has changed: their lists are marked, however many leads those have.
 * - Call it once the change is committed: what holds counts by then, and nothing waits for a list that is being worked on.
 * - A list that is locked is passed over: the work on it marks it when it is done.
 */
export async function tellHeldLeads(db: Db, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await sql`
    update public.lists set updated_at = now() where id = any(array(
      select list.id from public.lists as list where list.id in (select app.lists_holding(${keys}::text[]))
      order by list.id for update skip locked))
  `.execute(db);
}
