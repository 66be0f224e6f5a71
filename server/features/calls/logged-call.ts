import { type RawBuilder, sql } from 'kysely';
import { LATEST_LOG_MS, type LoggedCall } from '#contract/calling/calls.ts';
import type { Db } from '#db/connection/client.ts';
import { notFound } from '#server/lib/app-error.ts';
import type { CalledLead } from './called-lead.ts';
import type { Round } from './waiting-leads.ts';

/** Calls to one number that are read at a time. */
const MOST_CALLS = 50;

/** A call as it is stored. `isWithdrawn`: none was made. `leadId`: null once the lead is gone. */
export type CallRow = Pick<LoggedCall, 'id' | 'verdict' | 'outcome' | 'note'> & {
  userId: string | null;
  leadId: string | null;
  listId: string | null;
  number: string;
  sandbox: boolean;
  calledAt: Date;
  outcomeAt: Date | null;
  callBackAt: Date | null;
  isWithdrawn: boolean;
};

/** Calls that fit, the newest first. `condition` on app.calls as `call`; `lock` keeps them as they are until the transaction ends. */
async function readCalls(db: Db, condition: RawBuilder<boolean>, lock = false): Promise<CallRow[]> {
  const { rows } = await sql<CallRow>`
    select call.id, call.verdict, call.outcome, call.note, call.user_id as "userId", call.lead_id as "leadId", call.list_id as "listId",
      call.phone as number, call.sandbox, call.called_at as "calledAt", call.outcome_at as "outcomeAt",
      call.call_back_at as "callBackAt", call.withdrawn_at is not null as "isWithdrawn"
    from app.calls as call where ${condition}
    order by call.called_at desc, call.logged_at desc limit ${MOST_CALLS} ${lock ? sql`for update` : sql``}
  `.execute(db);
  return rows;
}

/**
 * One of the caller's calls; undefined where none has this id.
 * @throws NOT_FOUND for one of someone else.
 */
export async function ownCall(db: Db, userId: string, id: string, lock = false): Promise<CallRow | undefined> {
  const [call] = await readCalls(db, sql`call.id = ${id}::uuid`, lock);
  if (call && call.userId !== userId) throw notFound('This call');
  return call;
}

/** One of the caller's calls, as long as no one said how it ended. */
export async function ownUnsaid(db: Db, userId: string, id: string): Promise<CallRow | undefined> {
  const call = await ownCall(db, userId, id);
  return call && !call.outcome && !call.isWithdrawn ? call : undefined;
}

/** The caller's last call of some days from a list that has no lead with its number anymore, while it lacks an outcome. */
export async function unsaidWithoutLead(
  db: Db,
  userId: string,
  { listId, sandbox, at }: Round,
): Promise<CallRow | undefined> {
  const [call] = await readCalls(
    db,
    sql`call.user_id = ${userId} and call.list_id = ${listId}::uuid and call.sandbox = ${sandbox}
      and call.outcome is null and call.withdrawn_at is null and call.called_at > ${new Date(at - LATEST_LOG_MS)}
      and not exists (select from app.calls as later where later.phone = call.phone and later.user_id = call.user_id
        and later.sandbox = call.sandbox and later.withdrawn_at is null and later.called_at > call.called_at)
      and not exists (select from public.leads as lead
        where lead.list_id = call.list_id and lead.contact_keys[1] = 'phone:' || call.phone)`,
  );
  return call;
}

/** The calls of everyone to a number. A sandbox list has its own. */
export async function callsTo(
  db: Db,
  userId: string,
  { number, sandbox }: Pick<CalledLead, 'number' | 'sandbox'>,
): Promise<LoggedCall[]> {
  const calls = await readCalls(
    db,
    sql`call.phone = ${number} and call.sandbox = ${sandbox} and call.withdrawn_at is null`,
  );
  return calls.map((call) => loggedCall(call, userId));
}

/** A call as the contract has it. What others wrote stays theirs. */
export function loggedCall(call: CallRow, userId: string): LoggedCall {
  const { id, verdict, outcome, note, calledAt, outcomeAt, callBackAt } = call;
  const isOwn = call.userId === userId;
  return {
    id,
    verdict,
    outcome,
    calledAt: calledAt.toISOString(),
    outcomeAt: outcomeAt?.toISOString() ?? null,
    callBackAt: callBackAt?.toISOString() ?? null,
    note: isOwn ? note : null,
    isOwn,
  };
}
