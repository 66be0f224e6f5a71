import { type RawBuilder, sql } from 'kysely';
import { asyncCommit } from '#db/connection/async-commit.ts';
import type { Db } from '#db/connection/client.ts';
import { KEPT } from '#db/connection/kept-statements.ts';
import { bucketOf } from '#server/paid-calls/departure/bucket-of.ts';
import { SPACING } from '#server/paid-calls/departure/departures.ts';
import { IN_FLIGHT, SLOT_MS } from '#server/paid-calls/departure/key-slots.ts';
import { type Settled, toOutcomes } from '#server/paid-calls/memory/recall.ts';
import {
  type Operation,
  type PayContext,
  type Plan,
  type PlannedCall,
  type Wanted,
  WHEN_UNCERTAIN,
} from '#server/paid-calls/operation.ts';
import { RunStopped } from '#server/paid-calls/run-stopped.ts';

type Holder = Pick<PayContext, 'run' | 'owner' | 'key'>;
/** What `app.begin_calls` returns: nothing when this process no longer holds the run. */
export type Begun = { settled: Settled[]; calls: CallInFlight[] };
/** `mine`: to be sent by this run. `written`: just now. `sent`: the request as part of which it was booked as sent just now. */
type CallInFlight = PlannedCall & { mine: boolean; written: boolean; sent?: string | null };

/**
 * Plans a call for every subject that no one has in flight, and finds the calls that this run had planned before a crash.
 * - Calls of a request that may leave at once are also booked as sent.
 * - Keys hold no subject in plain text: a page's subject has coordinates, which must be deleted after a time.
 * - Returns a plan for each of `wanted`, in its order.
 * @throws RunStopped when this process no longer holds the run.
 */
export async function beginCalls<A>(
  context: Holder & Pick<PayContext, 'deps'>,
  operation: Operation<A>,
  wanted: readonly Wanted[],
): Promise<Plan<A>[]> {
  const { db } = context.deps;
  const { rows } = await beginning(context, operation, wanted, { durable: false }).execute(db);
  const [begun] = rows;
  if (!begun) throw new RunStopped('lease_lost');
  const { plans, needless } = toPlans(context, operation, wanted, begun);
  if (needless.length > 0) await dropPlanned(db, needless);
  return plans;
}

/**
 * The same as a statement, to be sent with others.
 * - `durable`: the transaction settles the call before. A cancelled run then begins no other call.
 * - `onlyIf`: nothing begins unless it holds.
 */
export function beginning(
  { run, owner, key }: Holder,
  { provider, name, estimateMicros }: Operation<unknown>,
  wanted: readonly Wanted[],
  { durable, onlyIf = sql<boolean>`true` }: { durable: boolean; onlyIf?: RawBuilder<boolean> },
): RawBuilder<Begun> {
  const each = wanted.flatMap(({ subjects, round, request = null }) =>
    subjects.map((subject) => ({ subject, round, request })),
  );
  const limits = SPACING[provider];
  return sql<Begun>`
    ${KEPT} select settled, calls from app.begin_calls(${run.id}::uuid, ${owner}::uuid, ${provider}, ${name}, ${WHEN_UNCERTAIN[name]},
      ${estimateMicros}::bigint, ${JSON.stringify(each)}::jsonb, ${bucketOf(key, provider)},
      ${limits.map(({ calls }) => calls)}::integer[], ${limits.map(({ windowMs }) => windowMs)}::integer[],
      ${IN_FLIGHT[provider] ?? null}::integer, ${SLOT_MS}::integer, ${durable}::boolean)
    where ${onlyIf}`;
}

/** Reads what began. `needless`: calls that were planned for subjects that turned out to be known. */
export function toPlans<A>(
  { run }: Pick<Holder, 'run'>,
  operation: Operation<A>,
  wanted: readonly Wanted[],
  { settled, calls }: Begun,
): { plans: Plan<A>[]; needless: PlannedCall[] } {
  const outcomes = toOutcomes(run.id, operation, settled);
  const plans = wanted.map(({ subjects, request }): Plan<A> => {
    const open = calls.filter(({ subject }) => subjects.includes(subject) && !outcomes.has(subject));
    const gone = open.filter(({ sent }) => sent && sent === request);
    return {
      calls: gone.length > 0 ? gone : open.filter(({ mine, sent }) => mine && !sent),
      ...(request && gone.length > 0 ? { sent: request } : {}),
      others: open.filter(({ mine, sent }) => (sent ? sent !== request : !mine)),
      outcomes: new Map([...outcomes].filter(([subject]) => subjects.includes(subject))),
    };
  });
  return { plans, needless: calls.filter((call) => call.written && outcomes.has(call.subject)) };
}

/** Takes back calls that are not needed, unless an earlier try may have been charged. Other runs may have seen them in flight and wait for them. */
export async function dropPlanned(db: Db, calls: readonly PlannedCall[]): Promise<void> {
  await sql`
    with dropped as (
      delete from app.paid_calls
      where id = any(${calls.map((call) => call.id)}::uuid[]) and state = 'planned' and not maybe_charged and ${asyncCommit}
      returning id
    )
    select pg_notify('call_settled', id::text) from dropped
  `.execute(db);
}
