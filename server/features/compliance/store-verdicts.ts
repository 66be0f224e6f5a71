import { type RawBuilder, sql, type Updateable } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import { guardedTransaction } from '#db/connection/guarded-transaction.ts';
import { KEPT } from '#db/connection/kept-statements.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { DB } from '#db/types.gen.ts';
import type { PhoneVerdict } from '#providers/provider.ts';
import type { LeadsByNumber } from '#server/calling/sort-phones.ts';
import { remembered } from '#server/paid-calls/memory/remembered.ts';
import type { Answered } from '#server/paid-calls/operation.ts';
import { lockingList, lockList } from '#server/runs/rows.ts';
import type { ListRunContext } from '#server/runs/run-context.ts';
import { scrubOperation } from './scrub-operation.ts';

const NOT_US = 'Not a US number';
const NO_PHONE = 'No phone number';
const UNREADABLE = 'SearchBug gave no clear verdict';
const WITHOUT_VERDICT = {
  lost: 'The response was lost and may have been charged, so the number is not checked again',
  refused: 'SearchBug did not accept this number',
};

/** Notes on leads that cannot be checked why, before anything is paid. */
export async function storeUncheckable(
  db: Db,
  listId: string,
  { notUs, withoutPhone }: Pick<LeadsByNumber, 'notUs' | 'withoutPhone'>,
): Promise<void> {
  if (notUs.length + withoutPhone.length === 0) return;
  await guardedTransaction(db, async (tx) => {
    if (!(await lockList(tx, listId))) return;
    await update(tx, listId, notUs, { compliance_status: 'not_checked', compliance_reason: NOT_US });
    await update(tx, listId, await stillWithoutPhone(tx, withoutPhone), {
      compliance_status: 'not_checked',
      compliance_reason: NO_PHONE,
    });
  });
}

/** Which of these leads no import has given a number since they were sorted. */
async function stillWithoutPhone(tx: Tx, leadIds: readonly string[]): Promise<string[]> {
  if (leadIds.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    select id from public.leads where id = any(${leadIds}::uuid[]) and coalesce(phone, '') !~ '\\S'
  `.execute(tx);
  return rows.map(({ id }) => id);
}

/**
 * Returns statements that write verdicts to the leads that have the numbers. They do nothing when the list is gone.
 * The kind of a line is of the same check: numbers move from landlines to mobiles, which laws treat otherwise.
 */
export function storingVerdicts(
  listId: string,
  leadsOf: ReadonlyMap<string, readonly string[]>,
  answered: readonly Answered<PhoneVerdict>[],
): RawBuilder<unknown>[] {
  const rows = answered.flatMap(({ subject, answer, callId, answeredAt }) => {
    const checked = answer.status !== 'not_checked';
    return (leadsOf.get(subject) ?? []).map((id) => ({
      id,
      status: answer.status,
      reason: checked ? (answer.codes ?? null) : UNREADABLE,
      checked_at: checked ? answeredAt.toISOString() : null,
      call_id: callId,
      line_type: answer.lineType ?? null,
    }));
  });
  const storing = sql`
    ${KEPT} update public.leads as lead
    set compliance_status = verdict.status, compliance_reason = verdict.reason, compliance_checked_at = verdict.checked_at,
      compliance_call_id = verdict.call_id,
      phone_type = case when verdict.checked_at is null then coalesce(verdict.line_type, lead.phone_type) else verdict.line_type end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as verdict (id uuid, status text, reason text, checked_at timestamptz, call_id uuid, line_type text)
    where lead.id = verdict.id and lead.list_id = ${listId}`;
  return [lockingList(listId), storing];
}

/** Stores that numbers whose answer was lost, or that were refused, have no verdict, unless an answer has come after all. */
export async function storeWithout(
  db: Db,
  run: ListRunContext['run'],
  leadsOf: ReadonlyMap<string, readonly string[]>,
  numbers: readonly string[],
  why: keyof typeof WITHOUT_VERDICT,
): Promise<void> {
  if (numbers.length === 0) return;
  await guardedTransaction(db, async (tx) => {
    if (!(await lockList(tx, run.listId))) return;
    // Looked up under the lock, which every process that stores verdicts in this list takes.
    const come = await remembered(tx, run, scrubOperation, numbers);
    const leadIds = numbers.flatMap((number) => (come.has(number) ? [] : (leadsOf.get(number) ?? [])));
    await update(tx, run.listId, leadIds, {
      compliance_status: 'not_checked',
      compliance_reason: WITHOUT_VERDICT[why],
      compliance_checked_at: null,
    });
  });
}

async function update(
  tx: Tx,
  listId: string,
  leadIds: readonly string[],
  changes: Updateable<DB['leads']>,
): Promise<void> {
  if (leadIds.length === 0) return;
  await tx.updateTable('leads').set(changes).where('list_id', '=', listId).where('id', 'in', leadIds).execute();
}
