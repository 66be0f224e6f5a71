import { sql } from 'kysely';
import { isDatabaseGone } from '#db/connection/database-gone.ts';
import { guardedTransaction } from '#db/connection/guarded-transaction.ts';
import type { Tx } from '#db/connection/tx.ts';
import { throughOutage } from '#server/lib/through-outage.ts';
import { bucketOf } from '#server/paid-calls/departure/bucket-of.ts';
import {
  type Answered,
  type Bought,
  type Operation,
  type PayContext,
  type Purchase,
  type SettledCall,
  WHEN_UNCERTAIN,
} from '#server/paid-calls/operation.ts';
import { cleanJson } from './clean-json.ts';
import type { PlannedCall } from './plan-calls.ts';

/** What calls are settled by. */
export type Settling<A> = Pick<Purchase<A>, 'operation' | 'store' | 'record' | 'late'>;

/** Where a provider charges a subject once, it does so for this long: Hunter's billing period, in days. */
const CHARGED_ONCE_DAYS = 31;

/**
 * Books the answers of one request, remembers them and stores what they bring, in one transaction.
 * - An answer is paid for, so it outlasts an outage of the database.
 * - When `store` fails, the answers are booked and remembered without it, and then that failure is thrown.
 * - When `record` fails as well, they are booked without that too: they are paid for.
 * - `together`: settles along with other requests. When that fails, each request settles by itself, so one bad answer stops no other.
 */
export async function settleCalls<A>(
  context: PayContext,
  purchase: Purchase<A>,
  calls: readonly PlannedCall[],
  bought: ReadonlyMap<string, Bought<A>>,
  together: (settled: readonly SettledCall<A>[]) => Promise<void>,
): Promise<Answered<A>[]> {
  const answeredAt = new Date();
  const settled = calls.flatMap((call): SettledCall<A>[] => {
    const brought = bought.get(call.subject);
    return brought ? [{ ...call, ...brought, answer: cleanJson(brought.answer), answeredAt }] : [];
  });
  const alone = (what: Settling<A>) => throughOutage(() => settle(context, what, settled));
  const withoutStore = async () => {
    const { operation, record } = purchase;
    if (!record) return alone({ operation });
    try {
      await alone({ operation, record });
    } catch (error) {
      if (isDatabaseGone(error)) throw error;
      context.deps.log.error({ err: error, calls: calls.length }, 'paid answers were booked without their evidence');
      await alone({ operation });
    }
  };
  const apart = async () => {
    try {
      await alone(purchase);
    } catch (error) {
      if (!isDatabaseGone(error)) await withoutStore();
      throw error;
    }
  };
  try {
    await together(settled);
  } catch (error) {
    if (isDatabaseGone(error)) throw error;
    await apart();
  }
  context.deps.metrics.callsEnded(purchase.operation.provider, 'answered', settled.length);
  return settled.map(toAnswered);
}

/**
 * Books answers, remembers them and stores what they bring, in one transaction.
 * Takes locks in the order of ending a run: list, run, calls, sums of the ledger.
 */
export function settle<A>(
  { deps, run, key }: Pick<PayContext, 'deps' | 'run' | 'key'>,
  { operation, store, record, late }: Settling<A>,
  settled: readonly SettledCall<A>[],
): Promise<void> {
  return guardedTransaction(deps.db, async (tx) => {
    await store?.(tx, settled.map(toAnswered));
    // Anyone who has taken the run over books its calls, or sorts them out, under the same lock.
    const { rows } = await sql<{ ended: boolean }>`
      select state not in ('queued', 'running') as ended from app.runs where id = ${run.id} for no key update
    `.execute(tx);
    await record?.(tx, await notBooked(tx, settled));
    await book(tx, { run, key }, operation, settled);
    if (rows[0]?.ended) await late?.(tx);
  });
}

/** Those that no one has booked yet. A transaction whose commit got lost may have booked them, and is repeated. */
async function notBooked<A>(tx: Tx, settled: readonly SettledCall<A>[]): Promise<SettledCall<A>[]> {
  const { rows } = await sql<{ id: string }>`
    select id from app.paid_calls where id = any(${settled.map(({ id }) => id)}::uuid[]) and state <> 'answered'
  `.execute(tx);
  const open = new Set(rows.map(({ id }) => id));
  return settled.filter(({ id }) => open.has(id));
}

const toAnswered = <A>({ id, subject, answer, answeredAt }: SettledCall<A>): Answered<A> => ({
  subject,
  answer,
  callId: id,
  answeredAt,
  known: false,
});

async function book<A>(
  tx: Tx,
  { run, key }: Pick<PayContext, 'run' | 'key'>,
  operation: Operation<A>,
  settled: readonly SettledCall<A>[],
): Promise<void> {
  const ids = settled.map((call) => call.id);
  const subjects = settled.map((call) => call.subject);
  const costs = settled.map((call) => call.costMicros);
  const chargedOnce = WHEN_UNCERTAIN[operation.name] === 'repeat';
  if (chargedOnce) await lockSubjects(tx, run, operation, subjects);
  // Another process may have taken the run over and judged the call: the answer is the truth. Of two answers to what is charged once,
  // the later call's is booked, in whatever order they come.
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
      from unnest(${ids}::uuid[], ${costs}::bigint[]) as paid (id, cost)
      where call.id = paid.id and call.state <> 'answered'
    ), older as (
      select call.id
      from unnest(${ids}::uuid[], ${costs}::bigint[]) as paid (id, cost) join app.paid_calls as later on later.id = paid.id
      join app.paid_calls as call on call.subject = later.subject
      where ${chargedOnce}::boolean
        and (call.state = 'uncertain' or (call.settled_by_hand_at is not null and call.cost_micros > 0)
          or (call.state = 'answered' and call.cost_micros > 0 and paid.cost > 0 and call.sent_at < later.sent_at))
        and call.user_id = ${run.userId} and call.provider = ${operation.provider} and call.operation = ${operation.name}
        and call.sandbox = ${run.sandbox} and call.id <> all(${ids}::uuid[])
        and coalesce(call.sent_at, call.planned_at) > now() - ${CHARGED_ONCE_DAYS} * interval '1 day'
      order by call.id for update of call
    ), outlived as (
      update app.paid_calls as call
      set state = case when state = 'answered' then 'answered' else 'failed' end, cost_micros = 0, settled_by_hand_at = null,
        error_message = case when state <> 'answered'
          then 'Its response was lost. A later call received it, and you were charged once.' end
      from older where call.id = older.id
    ), remembered as (
      insert into app.answers (user_id, provider, operation, subject, sandbox, answer, paid_call_id, answered_at, expires_at)
      select ${run.userId}::uuid, ${operation.provider}, ${operation.name}, subject, ${run.sandbox}::boolean, answer, id,
        answered_at, expires_at
      from unnest(
        ${subjects}::text[], ${settled.map((call) => JSON.stringify(call.answer))}::jsonb[],
        ${ids}::uuid[], ${settled.map((call) => call.answeredAt)}::timestamptz[], ${settled.map(expiry)}::timestamptz[]
      ) as given (subject, answer, id, answered_at, expires_at)
      order by subject
      on conflict (user_id, provider, operation, subject, sandbox) do update
      set answer = excluded.answer, paid_call_id = excluded.paid_call_id, answered_at = excluded.answered_at,
        expires_at = excluded.expires_at
    ), passed as (
      delete from app.provider_circuits where bucket = ${bucketOf(key, operation.provider)}
    )
    select pg_notify('call_settled', id::text) from unnest(${ids}::uuid[]) as id
  `.execute(tx);
}

/**
 * Books one answer to each subject at a time until the transaction ends. Two that came at once would not see each other.
 * Taken before calls.
 */
async function lockSubjects(
  tx: Tx,
  { userId, sandbox }: PayContext['run'],
  { provider, name }: Operation<unknown>,
  subjects: readonly string[],
): Promise<void> {
  const locks = subjects.map((subject) => [provider, name, userId, sandbox, subject].join(' ')).sort();
  await sql`
    select pg_advisory_xact_lock(hashtextextended(lock, 0)) from (
      select lock from unnest(${locks}::text[]) with ordinality as given (lock, place) order by place
    ) as ordered
  `.execute(tx);
}

const expiry = ({ rememberMs, answeredAt }: SettledCall<unknown>): Date | null =>
  rememberMs === 'for good' ? null : new Date(answeredAt.getTime() + rememberMs);
