import { randomUUID } from 'node:crypto';
import { guardedTransaction } from '#db/connection/guarded-transaction.ts';
import { together } from '#db/connection/together.ts';
import type { Plan } from '#server/paid-calls/operation.ts';
import { batchSteps, type CallSteps } from './departure/batched-steps.ts';
import { recall } from './memory/recall.ts';
import { recordRecalls } from './memory/record-recalls.ts';
import { waitForOthers } from './memory/wait-for-others.ts';
import type { Answered, Outcome, PayContext, Purchase } from './operation.ts';
import { sendCalls } from './send-calls.ts';

/**
 * Gets an outcome for every subject that is wanted, without paying twice: from memory, from a call in flight, or by one request for the rest.
 * - Subjects that are not wanted anymore get no outcome, unless they were asked about before.
 * - `steps`: shared by the requests of a run that has several out at a time.
 * @throws ProviderError when the provider refuses for good, RunStopped when the run must not go on.
 */
export async function pay<A>(
  context: PayContext,
  purchase: Purchase<A>,
  steps: CallSteps<A> = batchSteps(context, purchase),
): Promise<Map<string, Outcome<A>>> {
  const outcomes = new Map<string, Outcome<A>>();
  let open = purchase.subjects;
  let { begun } = purchase;
  for (let round = 0; open.length > 0; round += 1) {
    if (!begun) {
      context.signal.throwIfAborted();
      if (purchase.stillWanted) open = await purchase.stillWanted(open);
      if (open.length === 0) break;
    }
    // Calls that are sent leave now: nothing that can fail comes before.
    const plan: Plan<A> = begun ?? (await steps.begin({ subjects: open, round, request: randomUUID() }));
    begun = undefined;
    await storeKnown(context, purchase, plan.outcomes.values());
    for (const outcome of plan.outcomes.values()) outcomes.set(outcome.subject, outcome);
    if (plan.calls.length > 0)
      for (const outcome of await sendCalls(context, purchase, plan, steps)) outcomes.set(outcome.subject, outcome);
    else if (plan.others.length > 0) await waitForOthers(context, plan.others);
    if (open.some((subject) => outcomes.has(subject))) context.waits.moved();
    open = open.filter((subject) => !outcomes.has(subject));
  }
  return outcomes;
}

/** The part of `pay` that costs nothing: outcomes that are already settled, stored where they belong. */
export async function payFromMemory<A>(
  context: Pick<PayContext, 'deps' | 'run' | 'signal'>,
  purchase: Pick<Purchase<A>, 'operation' | 'subjects' | 'storing' | 'store' | 'recordReuse' | 'meanwhile'>,
): Promise<Map<string, Outcome<A>>> {
  context.signal.throwIfAborted();
  const outcomes = await recall(context.deps.db, context, purchase.operation, purchase.subjects);
  await storeKnown(context, purchase, outcomes.values());
  return outcomes;
}

async function storeKnown<A>(
  { deps, run }: Pick<PayContext, 'deps' | 'run'>,
  {
    operation,
    storing,
    store,
    recordReuse,
    meanwhile,
  }: Pick<Purchase<A>, 'operation' | 'storing' | 'store' | 'recordReuse' | 'meanwhile'>,
  outcomes: Iterable<Outcome<A>>,
): Promise<void> {
  const answered: Answered<A>[] = [...outcomes].filter((outcome) => outcome.state === 'answered');
  if (answered.length === 0) return;
  await meanwhile?.done();
  await guardedTransaction(deps.db, async (tx) => {
    if (storing) await together(tx, storing(answered));
    else await store?.(tx, answered);
    const reused = await recordRecalls(tx, run, operation, answered);
    await recordReuse?.(
      tx,
      answered.filter(({ subject }) => reused.has(subject)),
    );
  });
}
