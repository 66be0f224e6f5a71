import { stillContactable } from '#server/leads/suppressed.ts';
import { chunks } from '#server/lib/chunks.ts';
import { forEachAtOnce } from '#server/lib/for-each-at-once.ts';
import { batchSteps } from '#server/paid-calls/departure/batched-steps.ts';
import type { Settling } from '#server/paid-calls/ledger/settle-calls.ts';
import type { Bought, Outcome, Purchase } from '#server/paid-calls/operation.ts';
import { pay, payFromMemory } from '#server/paid-calls/pay.ts';
import type { ListRunContext } from '#server/runs/run-context.ts';

/** Enough for ten calls a second to leave even when each takes three seconds. */
const AT_ONCE = 32;
const MEMORY_CHUNK = 200;

type Asking<A> = {
  settling: Settling<A>;
  /** What to ask about, each once. */
  subjects: readonly string[];
  /** Lead ids by subject. */
  leadsOf: ReadonlyMap<string, readonly string[]>;
  /** @throws ProviderError */
  send(subject: string): Promise<Bought<A>>;
  count(outcome: Outcome<A>): void;
};

/** Asks Hunter about each subject that is not remembered, as long as one of its leads may be contacted. */
export async function askHunter<A>(
  context: ListRunContext,
  { settling, subjects, leadsOf, send, count }: Asking<A>,
): Promise<void> {
  const steps = batchSteps(context, settling);
  const purchase = (some: readonly string[]): Purchase<A> => ({
    ...settling,
    subjects: some,
    // Someone may have been suppressed since the run began.
    stillWanted: (some) => stillContactable(context.deps.db, leadsOf, some),
    send: async ([subject = '']) => new Map([[subject, await send(subject)]]),
  });
  const unknown: string[] = [];
  for (const chunk of chunks(subjects, MEMORY_CHUNK)) {
    const known = await payFromMemory(context, purchase(chunk));
    for (const outcome of known.values()) count(outcome);
    unknown.push(...chunk.filter((subject) => !known.has(subject)));
  }
  await forEachAtOnce(unknown, AT_ONCE, async (subject, failed) => {
    // A refused key is refused for every subject, so those that wait for their turn need not ask.
    const signal = AbortSignal.any([context.signal, failed]);
    for (const outcome of (await pay({ ...context, signal }, purchase([subject]), steps)).values()) count(outcome);
  });
}
