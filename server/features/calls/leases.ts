import { sql } from 'kysely';
import { SHEET_LEASE_MS } from '#contract/calling/calls.ts';
import type { Db } from '#db/connection/client.ts';
import type { CalledLead } from './called-lead.ts';

/** Numbers that one person's sheets keep at a time: one more lets the oldest go, so that no one keeps a list from others. */
const MOST_LEASES = 10;

export type Sheet = { userId: string; session: string };
type Number = Pick<CalledLead, 'number' | 'sandbox'>;

/** Whether a number is open on another sheet. `at` in ms since 1970. */
export async function isTaken(db: Db, { number, sandbox }: Number, session: string, at: number): Promise<boolean> {
  const lease = await db
    .selectFrom('app.call_leases')
    .select('phone')
    .where('phone', '=', number)
    .where('sandbox', '=', sandbox)
    .where('session', '!=', session)
    .where('expires_at', '>', new Date(at))
    .executeTakeFirst();
  return lease !== undefined;
}

/** Keeps a number for a sheet, and lets go of what it kept before. Returns false while another sheet has it. */
export async function takeLease(
  db: Db,
  { id, number, sandbox }: Omit<CalledLead, 'listId'>,
  { userId, session }: Sheet,
  at: number,
): Promise<boolean> {
  const { rows } = await sql`
    insert into app.call_leases as lease (phone, sandbox, lead_id, user_id, session, expires_at)
    select ${number}, ${sandbox}, lead.id, ${userId}, ${session}, ${new Date(at + SHEET_LEASE_MS)}
    from public.leads as lead where lead.id = ${id}::uuid
    on conflict (phone, sandbox) do update set lead_id = excluded.lead_id, user_id = excluded.user_id,
      session = excluded.session, expires_at = excluded.expires_at
    where lease.expires_at <= ${new Date(at)} or (lease.session = excluded.session and lease.user_id = excluded.user_id)
    returning lease.phone
  `.execute(db);
  if (rows.length === 0) return false;
  await sql`
    delete from app.call_leases as lease
    where lease.user_id = ${userId} and (lease.phone, lease.sandbox) <> (${number}, ${sandbox}) and (
      lease.session = ${session} or lease.expires_at < (
        select expires_at from app.call_leases where user_id = ${userId}
        order by expires_at desc offset ${MOST_LEASES - 1} limit 1))
  `.execute(db);
  return true;
}

/** Lets go of what a sheet keeps. Returns whether it kept anything. */
export async function releaseLease(db: Db, { userId, session }: Sheet): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('app.call_leases')
    .where('user_id', '=', userId)
    .where('session', '=', session)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
