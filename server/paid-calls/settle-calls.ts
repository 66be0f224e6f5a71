import { sql } from 'kysely';
import { isDatabaseGone } from '#db/database-gone.ts';
import type { Tx } from '#db/tx.ts';
import { throughOutage } from '#server/through-outage.ts';
import { cleanJson } from './clean-json.ts';
import {
  type Answered,
  type Bought,
  type Operation,
  type PayContext,
  type Purchase,
  WHEN_UNCERTAIN,
} from './operation.ts';
import type { PlannedCall } from './plan-calls.ts';

type Settled<A> = PlannedCall & Bought<A>;

/** Where a provider charges a subject once, it does so for this long: Hunter's billing period, in days. */
const CHARGED_ONCE_DAYS = 31;

/**
 * Books the answers of one request, remembers them and stores what they bring, in one transaction. An answer is paid for, so it
 * outlasts an outage of the database; and when `store` fails, it is booked and remembered without, before that failure is thrown.
 * Locks are taken in the order that ending a run takes them in: list, run, calls, sums of the ledger.
 */
export async function settleCalls<A>(
  context: PayContext,
  purchase: Purchase<A>,
  calls: readonly PlannedCall[],
  bought: ReadonlyMap<string, Bought<A>>,
): Promise<Answered<A>[]> {
  const settled = calls.flatMap((call): Settled<A>[] => {
    const brought = bought.get(call.subject);
    return brought ? [{ ...call, ...brought, answer: cleanJson(brought.answer) }] : [];
  });
  const answeredAt = new Date();
  const answered = settled.map(({ subject, answer, id }) => ({
    subject,
    answer,
    callId: id,
    answeredAt,
    known: false,
  }));
  const settle = (store: Purchase<A>['store']) =>
    context.deps.db.transaction().execute(async (tx) => {
      await store?.(tx, answered);
      await book(tx, context.run, purchase.operation, settled, answeredAt);
    });
  try {
    await throughOutage(() => settle(purchase.store));
  } catch (error) {
    if (!isDatabaseGone(error)) await throughOutage(() => settle(undefined));
    throw error;
  }
  context.deps.metrics.callsEnded(purchase.operation.provider, 'answered', answered.length);
  return answered;
}

async function book<A>(
  tx: Tx,
  run: PayContext['run'],
  operation: Operation<A>,
  settled: readonly Settled<A>[],
  answeredAt: Date,
): Promise<void> {
  const ids = settled.map((call) => call.id);
  const subjects = settled.map((call) => call.subject);
  const chargedOnce = WHEN_UNCERTAIN[operation.name] === 'repeat';
  // Another process may have taken the run over meanwhile and judged the call; that it was answered is the truth. Where a later call
  // has brought its answer before, that one is booked.
  await sql`
    with booked as (
      update app.paid_calls as call
      set state = 'answered', settled_at = now(), settled_by_hand_at = null, error_kind = null, error_message = null,
        cost_micros = case when ${chargedOnce}::boolean and exists (
          select from app.answers as answer join app.paid_calls as later on later.id = answer.paid_call_id
          where answer.user_id = call.user_id and answer.provider = call.provider and answer.operation = call.operation
            and answer.subject = call.subject and answer.sandbox = call.sandbox
            and later.id <> call.id and later.sent_at >= call.sent_at
        ) then 0 else paid.cost end
      from unnest(${ids}::uuid[], ${settled.map((call) => call.costMicros)}::bigint[]) as paid (id, cost)
      where call.id = paid.id and call.state <> 'answered'
    ), outlived as (
      update app.paid_calls
      set state = 'failed', cost_micros = 0, settled_by_hand_at = null,
        error_message = 'Its answer was lost. A later call brought it; the subject was charged once.'
      where ${chargedOnce}::boolean and (state = 'uncertain' or (settled_by_hand_at is not null and cost_micros > 0))
        and user_id = ${run.userId} and provider = ${operation.provider} and operation = ${operation.name}
        and sandbox = ${run.sandbox} and subject = any(${subjects}) and id <> all(${ids}::uuid[])
        and coalesce(sent_at, planned_at) > now() - ${CHARGED_ONCE_DAYS} * interval '1 day'
    ), remembered as (
      insert into app.answers (user_id, provider, operation, subject, sandbox, answer, paid_call_id, answered_at, expires_at)
      select ${run.userId}::uuid, ${operation.provider}, ${operation.name}, subject, ${run.sandbox}::boolean, answer, id,
        ${answeredAt}::timestamptz, expires_at
      from unnest(
        ${subjects}::text[], ${settled.map((call) => JSON.stringify(call.answer))}::jsonb[],
        ${ids}::uuid[], ${settled.map((call) => expiry(call, answeredAt))}::timestamptz[]
      ) as given (subject, answer, id, expires_at)
      order by subject
      on conflict (user_id, provider, operation, subject, sandbox) do update
      set answer = excluded.answer, paid_call_id = excluded.paid_call_id, answered_at = excluded.answered_at,
        expires_at = excluded.expires_at
    )
    select pg_notify('call_settled', id::text) from unnest(${ids}::uuid[]) as id
  `.execute(tx);
}

const expiry = ({ rememberMs }: Bought<unknown>, from: Date): Date | null =>
  rememberMs === 'for good' ? null : new Date(from.getTime() + rememberMs);
