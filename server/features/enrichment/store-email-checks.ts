import { sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';
import type { Answered } from '#server/paid-calls/operation.ts';
import { lockList } from '#server/runs/rows.ts';
import type { EmailAnswer } from './email-verify-operation.ts';

/**
 * Writes what Hunter says about emails to every lead of the list that has them.
 * A later check stays. An email without a result keeps what it had.
 */
export async function storeEmailChecks(
  tx: Tx,
  listId: string,
  answered: readonly Answered<EmailAnswer>[],
): Promise<void> {
  const checks = answered.flatMap(({ subject, answer: { status }, callId, answeredAt }) =>
    status === 'pending' ? [] : [{ email: subject, status, call_id: callId, checked_at: answeredAt.toISOString() }],
  );
  if (checks.length === 0 || !(await lockList(tx, listId))) return;
  await sql`
    update public.leads as lead
    set email_status = checked.status, email_checked_at = checked.checked_at, email_check_call_id = checked.call_id,
      email_verified = case checked.status when 'valid' then true when 'invalid' then false end
    from jsonb_to_recordset(${JSON.stringify(checks)}::jsonb)
      as checked (email text, status text, call_id uuid, checked_at timestamptz)
    where lead.list_id = ${listId} and lower(btrim(lead.email)) = checked.email
      and (lead.email_status is null or lead.email_checked_at is null or lead.email_checked_at < checked.checked_at)
  `.execute(tx);
}
