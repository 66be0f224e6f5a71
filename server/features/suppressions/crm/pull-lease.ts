import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';

/** For how long a process may be silent before another begins again, in seconds. One call with its waits, and once more after a refresh, takes less. */
const LEASE_SECONDS = 120;
const EVERY = sql`interval '1 hour'`;

/** What a pull has brought so far. `leftOut`: what it could not read, in words. */
export type Brought = { contacts: number; addresses: number; added: number; leftOut?: string | undefined };

/** A pull belongs to the connection that it began with. `since`: when that was made, in the database's own words. */
export type PulledFrom = { since: string; clientId: string };

/**
 * Claims the pull for a process if it is due: an hour after the last, or when someone asked for it. Returns what it pulls from; undefined
 * where it is not due.
 */
export async function claimPull(db: Db, owner: string): Promise<PulledFrom | undefined> {
  const { rows } = await sql<PulledFrom>`
    update app.crm_pull as pull
    set lease_owner = ${owner}::uuid, lease_expires_at = now() + ${LEASE_SECONDS} * interval '1 second', started_at = now(),
      ended_at = null, failure = null, left_out = null, contacts = 0, addresses = 0, added = 0
    from app.suppression_settings as settings, app.crm_connection as connection
    where (pull.lease_expires_at is null or pull.lease_expires_at < now())
      and (pull.ended_at is null or pull.started_at < now() - ${EVERY} or pull.asked_at > pull.started_at)
      and (settings.crm_statuses or settings.crm_tag_id is not null)
      and connection.sealed_access_token is not null and connection.connected_at is not null
    returning connection.connected_at::text as since, coalesce(connection.client_id, '') as "clientId"
  `.execute(db);
  return rows[0];
}

/** Thrown where the pull is another's: of another process, or of another connection. */
export class PullLost extends Error {}

/**
 * Makes sure, until the transaction ends, that what was pulled still comes from the account that is connected.
 * @throws PullLost where the CRM was connected again or disconnected since.
 */
export async function keepConnection(tx: Db, { since }: PulledFrom): Promise<void> {
  const { rows } =
    await sql`select from app.crm_connection where connected_at = ${since}::timestamptz for share`.execute(tx);
  if (rows.length === 0) throw new PullLost('The CRM was connected again while its opt-outs were pulled.');
}

/**
 * Keeps the claim and says how far it has come.
 * @throws PullLost once another process has taken it, or another connection was made.
 */
export async function renewPull(
  db: Db,
  { owner, from }: { owner: string; from: PulledFrom },
  { contacts, addresses, added, leftOut }: Brought,
): Promise<void> {
  const { numAffectedRows = 0n } = await sql`
    update app.crm_pull set lease_expires_at = now() + ${LEASE_SECONDS} * interval '1 second',
      contacts = ${contacts}, addresses = ${addresses}, added = ${added}, left_out = ${unlessErased(leftOut)}
    where lease_owner = ${owner}::uuid
      and exists (select from app.crm_connection where connected_at = ${from.since}::timestamptz)
  `.execute(db);
  if (numAffectedRows === 0n)
    throw new PullLost('Another process, or another connection, has taken the pull of opt-outs.');
}

/** A pull holds these words for as long as it lasts: someone whom they name may be erased meanwhile. */
const unlessErased = (words: string | undefined): RawBuilder<string | null> => sql`(
  select case when exists (select from app.contacts_in(array[words]) as found where app.is_erased(array_remove(array[found.key], null)))
    then '[erased]' else words end
  from (select ${words ?? null}::text as words) as one)`;

/** Ends it. `failure`: why it is not complete, in words; undefined where it is. */
export async function endPull(db: Db, owner: string, brought: Brought, failure: string | undefined): Promise<void> {
  await sql`
    update app.crm_pull set lease_owner = null, lease_expires_at = null, ended_at = now(), failure = ${failure ?? null},
      complete_at = case when ${failure === undefined} then now() else complete_at end,
      contacts = ${brought.contacts}, addresses = ${brought.addresses}, added = ${brought.added},
      left_out = ${unlessErased(brought.leftOut)}
    where lease_owner = ${owner}::uuid
  `.execute(db);
}

/** Lets it go without an end, so that another process begins again. */
export async function leavePull(db: Db, owner: string): Promise<void> {
  await sql`update app.crm_pull set lease_owner = null, lease_expires_at = null where lease_owner = ${owner}::uuid`.execute(
    db,
  );
}
