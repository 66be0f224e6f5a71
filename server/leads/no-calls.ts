import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';

/** Asked once for a query: most installations have no such file. The order has PostgreSQL look into the index, which then is empty. */
const ARE_ANY = sql<boolean>`(
  select true from public.leads where app.tells_no_calls(extra) order by contact_keys[1] limit 1)`;

/**
 * Whether a file of its owner says that a lead must not be called, or another lead with its number, in a query where public.leads is
 * called `lead`. Known by its number alone: without one there is no call.
 */
export const MUST_NOT_BE_CALLED: RawBuilder<boolean> = sql`(
  case when ${ARE_ANY} then exists (
    select from (
      select list_id from public.leads where app.tells_no_calls(extra) and contact_keys[1] = lead.contact_keys[1] offset 0
    ) as told
    where (select user_id from public.lists where id = told.list_id) = (select user_id from public.lists where id = lead.list_id))
  else false end)`;

/**
 * Whether a file of someone says that a number must not be called.
 * - `phone`: in E.164.
 */
export async function isToldNotToCall(db: Db | Tx, userId: string, phone: string): Promise<boolean> {
  const { rows } = await sql`
    select from public.leads as told join public.lists as theirs on theirs.id = told.list_id
    where app.tells_no_calls(told.extra) and told.contact_keys[1] = 'phone:' || ${phone}::text and theirs.user_id = ${userId}
    limit 1
  `.execute(db);
  return rows.length > 0;
}
