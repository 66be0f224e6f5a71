import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';

/** For how long a process may be silent before another begins again, in seconds. Calls and their waits take at most 40 s. */
const LEASE_SECONDS = 90;
const EVERY = sql`interval '1 hour'`;

/** What a pull has brought so far. */
export type Brought = { contacts: number; addresses: number; added: number };

/** Claims the pull for a process if it is due: an hour after the last, or when someone asked for it. */
export async function claimPull(db: Db, owner: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update app.crm_pull as pull
    set lease_owner = ${owner}::uuid, lease_expires_at = now() + ${LEASE_SECONDS} * interval '1 second', started_at = now(),
      ended_at = null, failure = null, contacts = 0, addresses = 0, added = 0
    from app.suppression_settings as settings
    where (pull.lease_expires_at is null or pull.lease_expires_at < now())
      and (pull.ended_at is null or pull.started_at < now() - ${EVERY} or pull.asked_at > pull.started_at)
      and (settings.crm_statuses or settings.crm_tag_id is not null)
      and exists (select from app.crm_connection where sealed_access_token is not null)
  `.execute(db);
  return numAffectedRows > 0n;
}

/**
 * Keeps the claim and says how far it has come.
 * @throws once another process has taken it.
 */
export async function renewPull(db: Db, owner: string, { contacts, addresses, added }: Brought): Promise<void> {
  const { numAffectedRows = 0n } = await sql`
    update app.crm_pull set lease_expires_at = now() + ${LEASE_SECONDS} * interval '1 second',
      contacts = ${contacts}, addresses = ${addresses}, added = ${added}
    where lease_owner = ${owner}::uuid
  `.execute(db);
  if (numAffectedRows === 0n) throw new Error('Another process has taken the pull of opt-outs.');
}

/** Ends it. `failure`: why it is not complete, in words; undefined where it is. */
export async function endPull(db: Db, owner: string, brought: Brought, failure: string | undefined): Promise<void> {
  await sql`
    update app.crm_pull set lease_owner = null, lease_expires_at = null, ended_at = now(), failure = ${failure ?? null},
      complete_at = case when ${failure === undefined} then now() else complete_at end,
      contacts = ${brought.contacts}, addresses = ${brought.addresses}, added = ${brought.added}
    where lease_owner = ${owner}::uuid
  `.execute(db);
}

/** Lets it go without an end, so that another process begins again. */
export async function leavePull(db: Db, owner: string): Promise<void> {
  await sql`update app.crm_pull set lease_owner = null, lease_expires_at = null where lease_owner = ${owner}::uuid`.execute(
    db,
  );
}
