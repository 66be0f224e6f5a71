import { setTimeout as pause } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { isDatabaseGone } from '#db/connection/database-gone.ts';
import { guardedTransaction } from '#db/connection/guarded-transaction.ts';
import { KEPT } from '#db/connection/kept-statements.ts';
import { togetherAtLast } from '#db/connection/together.ts';
import { cleanJson } from '#db/values/storable.ts';
import { throughOutage } from '#server/lib/through-outage.ts';
import { bucketOf } from '#server/paid-calls/departure/bucket-of.ts';
import type { PlannedCall } from '#server/paid-calls/operation.ts';
import {
  type Answered,
  type Bought,
  type NextCall,
  type Operation,
  type PayContext,
  type Purchase,
  type SettledCall,
  WHEN_UNCERTAIN,
} from '#server/paid-calls/operation.ts';
import { type Begun, beginning, dropPlanned, toPlans } from './begin-calls.ts';

/** The parts of a purchase that settle its calls. */
export type Settling<A> = Pick<Purchase<A>, 'operation' | 'storing' | 'store' | 'recording' | 'late' | 'meanwhile'>;

/** Answers to book, and the calls that they lead to: the first of these begins with them. */
export type Settlement<A> = { settled: readonly SettledCall<A>[]; next?: readonly NextCall[] };

/**
 * A provider that charges a subject once does so for this long, in days: one of Hunter's billing periods.
 * No longer than an email is remembered, or its next check would take the charge of the last one out of the ledger.
 */
const CHARGED_ONCE_DAYS = 30;
/** How long filling a list waits for the next call to leave, in ms: both need this process. */
const BEHIND_MS = 5;

/**
 * Books the answers of one request, remembers them and stores what they bring, in one transaction.
 * - An answer is paid for, so it outlasts an outage of the database.
 * - When `store` fails, the answers are booked and remembered without it, and then that failure is thrown.
 * - The same when what an earlier answer brought could not be stored. Then no next call begins.
 * - When `recording` fails as well, they are booked without that too: they are paid for.
 * - `settleTogether`: settles along with other requests. When that fails, each request settles by itself, so one bad answer stops no other.
 */
export async function settleCalls<A>(
  context: PayContext,
  purchase: Purchase<A>,
  calls: readonly PlannedCall[],
  bought: ReadonlyMap<string, Bought<A>>,
  settleTogether: (settlement: Settlement<A>) => Promise<void>,
): Promise<Answered<A>[]> {
  const answeredAt = new Date();
  const settled = calls.flatMap((call): SettledCall<A>[] => {
    const brought = bought.get(call.subject);
    return brought ? [{ ...call, ...brought, answer: cleanJson(brought.answer), answeredAt }] : [];
  });
  const alone = (what: Settling<A>) => throughOutage(() => settle(context, what, { settled }));
  const withoutStore = async () => {
    const { operation, recording } = purchase;
    if (!recording) return alone({ operation });
    try {
      await alone({ operation, recording });
    } catch (error) {
      if (isDatabaseGone(error)) throw error;
      context.deps.log.error({ err: error, calls: calls.length }, 'paid answers were booked without their evidence');
      await alone({ operation });
    }
  };
  const apart = async () => {
    try {
      await purchase.meanwhile?.done();
      await alone(purchase);
    } catch (error) {
      if (!isDatabaseGone(error) || purchase.meanwhile?.hasFailed()) await withoutStore();
      throw error;
    }
  };
  try {
    const mayGoOn = !context.signal.aborted && !purchase.meanwhile?.hasFailed();
    const next = mayGoOn ? purchase.next?.(bought) : undefined;
    if (!next || !purchase.storing) await purchase.meanwhile?.done();
    await settleTogether({ settled, ...(next ? { next: [next] } : {}) });
  } catch (error) {
    // What failed earlier, in an outage that may be over, says nothing about these answers.
    if (isDatabaseGone(error) && !purchase.meanwhile?.hasFailed()) throw error;
    await apart();
  }
  context.deps.metrics.callsEnded(purchase.operation.provider, 'answered', settled.length);
  return settled.map(toAnswered);
}

/**
 * Books answers, remembers them and stores what they bring, and begins the next call, in one transaction. With `meanwhile`, what they
 * bring comes in a transaction of its own behind that one: the next call does not wait for it.
 * Takes locks in the order of ending a run: list, run, calls, sums of the ledger. The next call waits for none behind these.
 */
export async function settle<A>(
  context: Pick<PayContext, 'deps' | 'run' | 'owner' | 'key'>,
  what: Settling<A>,
  { settled, next: [next] = [] }: Settlement<A>,
): Promise<void> {
  const { db } = context.deps;
  const { storing, store, recording, late, meanwhile } = what;
  const answered = settled.map(toAnswered);
  const stored = storing?.(answered) ?? [];
  const begin = next ? [beginning(context, next.operation, [next.wanted], { ...next, durable: true })] : [];
  const storesMeanwhile = next !== undefined && meanwhile !== undefined && stored.length > 0;
  const statements = [
    ...(storesMeanwhile ? [] : stored),
    booking(context, what.operation, settled),
    ...(late?.() ?? []),
    ...(recording?.(settled) ?? []),
  ];
  const begun = await guardedTransaction(db, async (tx) => {
    if (!storing) await store?.(tx, answered);
    const brought = await togetherAtLast(tx, [...statements, ...begin]);
    return brought[statements.length]?.[0] as Begun | undefined;
  });
  const fill = () => throughOutage(() => guardedTransaction(db, async (tx) => void (await togetherAtLast(tx, stored))));
  if (storesMeanwhile) meanwhile.begin(() => pause(BEHIND_MS).then(fill).catch(againUnlessGone(fill)));
  if (!next || !begun) return;
  const { plans, needless } = toPlans(context, next.operation, [next.wanted], begun);
  if (needless.length > 0) await dropPlanned(db, needless);
  const [plan] = plans;
  if (plan?.sent) next.take({ ...plan, outcomes: new Map() });
}

/** Repeats work once that failed for another reason than an outage: what it was refused for may have passed. */
const againUnlessGone =
  (work: () => Promise<void>) =>
  (error: unknown): Promise<void> => {
    if (isDatabaseGone(error)) throw error;
    return work();
  };

const toAnswered = <A>({ id, subject, answer, answeredAt }: SettledCall<A>): Answered<A> => ({
  subject,
  answer,
  callId: id,
  answeredAt,
  known: false,
});

/** Those of these calls that were booked in this transaction, and not in an earlier one whose commit was not confirmed. */
export const bookedNow = (callIds: readonly string[]): RawBuilder<{ id: string }> => sql<{ id: string }>`
  select id from app.paid_calls where id = any(${callIds}::uuid[]) and state = 'answered' and settled_at = now()`;

function booking<A>(
  { run, key }: Pick<PayContext, 'run' | 'key'>,
  { provider, name }: Operation<A>,
  settled: readonly SettledCall<A>[],
): RawBuilder<unknown> {
  const given = settled.map((call) => ({
    id: call.id,
    subject: call.subject,
    cost: call.costMicros,
    answer: call.answer,
    answered_at: call.answeredAt,
    expires_at: expiry(call),
  }));
  const chargedOnceDays = WHEN_UNCERTAIN[name] === 'repeat' ? CHARGED_ONCE_DAYS : null;
  return sql`
    ${KEPT} select from app.book_answers(${run.id}::uuid, ${provider}, ${name}, ${bucketOf(key, provider)},
      ${chargedOnceDays}::integer, ${JSON.stringify(given)}::jsonb)`;
}

const expiry = ({ rememberMs, answeredAt }: SettledCall<unknown>): Date | null =>
  rememberMs === 'for good' ? null : new Date(answeredAt.getTime() + rememberMs);
