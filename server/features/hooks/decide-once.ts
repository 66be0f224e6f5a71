import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { DenialReason } from '#contract/access/precheck.ts';
import type { Db } from '#db/connection/client.ts';
import { AppError } from '#server/lib/app-error.ts';

/** A webhook whose signature was checked. */
export type Delivery = { id: string; path: string; body: string };
/** Why not; null where it is allowed. */
export type Denial = DenialReason | null;

/** Twice the tolerance of a signature is 10 minutes: what is older cannot come again. */
const REMEMBER = sql`interval '15 minutes'`;
/** Each delivery takes some old ones along, so that the table stays small without anyone sweeping it. */
const FORGET_AT_ONCE = 10;

/**
 * Asks `decide` about a delivery once. Returns why it is refused, or null; the same when it comes again, also twice at once.
 * @throws CONFLICT when its id has come with another body, or for another hook.
 */
export async function decideOnce(db: Db, delivery: Delivery, decide: () => Promise<Denial>): Promise<string | null> {
  const known = await remember(db, delivery);
  if (known.decided) return known.denial;
  const denial = await decide();
  // Anyone who comes second takes over what the first has written.
  const { rows } = await sql<{ denial: string | null }>`
    update app.hook_deliveries
    set denial = case when decided_at is null then ${denial} else denial end, decided_at = coalesce(decided_at, now())
    where webhook_id = ${delivery.id} returning denial`.execute(db);
  return rows[0] ? rows[0].denial : denial;
}

async function remember(db: Db, { id, path, body }: Delivery): Promise<{ decided: boolean; denial: string | null }> {
  const bodyHash = createHash('sha256').update(`${path}\n${body}`).digest();
  await sql`
    with forgotten as (
      delete from app.hook_deliveries where webhook_id in (
        select webhook_id from app.hook_deliveries where received_at < now() - ${REMEMBER} and webhook_id <> ${id}
        limit ${FORGET_AT_ONCE} for update skip locked))
    insert into app.hook_deliveries (webhook_id, body_hash) values (${id}, ${bodyHash})
    on conflict do nothing`.execute(db);
  const { body_hash, decided_at, denial } = await db
    .selectFrom('app.hook_deliveries')
    .select(['body_hash', 'decided_at', 'denial'])
    .where('webhook_id', '=', id)
    .executeTakeFirstOrThrow();
  if (!body_hash.equals(bodyHash))
    throw new AppError('CONFLICT', 'This webhook-id was already used with a different body.');
  return { decided: decided_at !== null, denial };
}
