import { type RawBuilder, sql } from 'kysely';
import { CALL_OPEN_MS, SHEET_LEASE_MS } from '#contract/calling/calls.ts';
import type { Db } from '#db/connection/client.ts';
import type { CalledLead } from './called-lead.ts';

/** Numbers that one person's sheets keep at a time: one more lets the oldest go, so that no one keeps a list from others. */
const MOST_LEASES = 10;

export type Sheet = { userId: string; session: string };
type Number = Pick<CalledLead, 'number' | 'sandbox'>;

/** Whether someone else has begun a call to a number and not said how it ended. Their device may sleep, and their lease be over. */
export const isBeingCalled = (
  phone: RawBuilder<unknown>,
  { userId, sandbox, at }: { userId: string; sandbox: boolean; at: number },
): RawBuilder<boolean> => sql`exists (
  select from app.calls as begun where begun.phone = ${phone} and begun.sandbox = ${sandbox} and begun.user_id <> ${userId}
    and begun.outcome is null and begun.withdrawn_at is null and begun.called_at > ${new Date(at - CALL_OPEN_MS)})`;

/** What keeps someone from calling a number: another sheet shows it, or someone else is in a call to it. `at` in ms since 1970. */
export async function whatTakes(
  db: Db,
  { number, sandbox }: Number,
  { userId, session }: Sheet,
  at: number,
): Promise<'sheet' | 'call' | undefined> {
  const { rows } = await sql<{ taken: 'sheet' | 'call' | null }>`
    select case
      when exists (select from app.call_leases where phone = ${number} and sandbox = ${sandbox} and session <> ${session}
        and expires_at > ${new Date(at)}) then 'sheet'
      when ${isBeingCalled(sql`${number}`, { userId, sandbox, at })} then 'call' end as taken
  `.execute(db);
  return rows[0]?.taken ?? undefined;
}

/** Keeps a number for a sheet, and lets go of what it kept before. Returns false while another sheet or call has it. */
export async function takeLease(
  db: Db,
  { id, number, sandbox }: Omit<CalledLead, 'listId'>,
  { userId, session }: Sheet,
  at: number,
): Promise<boolean> {
  const { rows } = await sql`
    insert into app.call_leases as lease (phone, sandbox, lead_id, user_id, session, expires_at)
    select ${number}, ${sandbox}, lead.id, ${userId}, ${session}, ${new Date(at + SHEET_LEASE_MS)}
    from public.leads as lead where lead.id = ${id}::uuid and not ${isBeingCalled(sql`${number}`, { userId, sandbox, at })}
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
