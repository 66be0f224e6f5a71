import { randomUUID } from 'node:crypto';
import { z } from 'zod/mini';
import { prices } from '#providers/prices.ts';
import type { PhoneScrub, PhoneVerdict } from '#providers/provider.ts';
import { sortPhones } from '#server/calling/sort-phones.ts';
import { evidenceVault } from '#server/evidence/evidence-vault.ts';
import { stillContactable } from '#server/leads/suppressed.ts';
import { chunks } from '#server/lib/chunks.ts';
import { forEachAtOnce } from '#server/lib/for-each-at-once.ts';
import { gather } from '#server/lib/gather.ts';
import { batchSteps } from '#server/paid-calls/departure/batched-steps.ts';
import { highestRate, isRateFresh, noteRate } from '#server/paid-calls/departure/call-rates.ts';
import { IN_FLIGHT } from '#server/paid-calls/departure/key-slots.ts';
import { costOfChecks } from '#server/paid-calls/ledger/cost-of-checks.ts';
import type { Settling } from '#server/paid-calls/ledger/settle-calls.ts';
import type { Bought, Origin, Outcome, Purchase } from '#server/paid-calls/operation.ts';
import { pay, payFromMemory } from '#server/paid-calls/pay.ts';
import { noteBalance, watchBalance } from '#server/provider-balances/watch-balance.ts';
import { startProgress } from '#server/runs/progress/progress.ts';
import type { ListKindDefinition } from '#server/runs/run-context.ts';
import { checkInParts, type Refused } from './check-in-parts.ts';
import { recordingScrubs, recordReusedVerdicts } from './record-scrubs.ts';
import { rememberVerdict, scrubOperation } from './scrub-operation.ts';
import { storingLateCost } from './store-late-cost.ts';
import { storeUncheckable, storeWithout, storingVerdicts } from './store-verdicts.ts';

/** Numbers in one request. */
const BATCH_SIZE = 20;
const MEMORY_CHUNK = 500;

/** What a compliance run stores as its input: null means all leads of the list. */
export const ComplianceInput = z.object({ leadIds: z.nullable(z.array(z.string())) });
export type ComplianceInput = z.infer<typeof ComplianceInput>;

/** Checks each US number of a list once and writes the verdicts to its leads. */
export const complianceKind: ListKindDefinition = {
  provider: 'searchbug',
  async execute(context) {
    const { deps, run } = context;
    const { leadIds } = ComplianceInput.parse(run.input);
    const [sorted, known, isFresh, evidence] = await Promise.all([
      sortPhones(deps.db, run.listId, leadIds ?? undefined),
      highestRate(deps.db, run.userId, 'searchbug'),
      isRateFresh(deps.db, context.key, 'searchbug'),
      evidenceVault(deps.db, deps.vault),
    ]);
    const { numbers } = sorted;
    const progress = startProgress(context, {
      leads: sorted.leads,
      suppressed: sorted.suppressed,
      withoutPhone: sorted.withoutPhone.length,
      notUs: sorted.notUs.length,
      numbers: numbers.size,
      numbersDone: 0,
      numbersKnown: 0,
      numbersUncertain: 0,
      safe: 0,
      flagged: 0,
    });
    /** The highest cost of one number that answers told, and the one that was noted. */
    let charged: number | undefined;
    let noted: number | undefined;
    const notes: Promise<void>[] = [];
    let rateMicros = Math.max(known ?? 0, scrubOperation.estimateMicros);
    const balance = watchBalance();
    const scrubber = deps.providers.phoneScrubber(context.key.apiKey);
    const scrub: Settling<PhoneVerdict> = {
      operation: {
        ...scrubOperation,
        get estimateMicros() {
          return rateMicros;
        },
      },
      storing: (answered) => storingVerdicts(run.listId, numbers, answered),
      recording: (bought) => recordingScrubs(evidence, run, bought),
      late: () => [storingLateCost(run)],
    };
    const steps = batchSteps(context, scrub);
    // Asked for all requests at once, so that they begin together.
    const contactable = gather(async (asked: readonly (readonly string[])[]) => {
      const free = new Set(await stillContactable(deps.db, numbers, asked.flat()));
      return asked.map((some) => some.filter((number) => free.has(number)));
    });
    const purchase = (subjects: readonly string[]): Purchase<PhoneVerdict> => ({
      ...scrub,
      recordReuse: (tx, reused) => recordReusedVerdicts(tx, evidence, run, reused),
      subjects,
      // Someone may have been suppressed since the run began.
      stillWanted: contactable,
      async send(asked) {
        const askedAt = new Date();
        const scrubbed = await balance.during(() => scrubber.scrub(asked));
        // A lower price may come last when several batches are out together.
        if (scrubbed.rateMicros !== undefined) charged = Math.max(charged ?? 0, scrubbed.rateMicros);
        rateMicros = Math.max(rateMicros, charged ?? 0);
        return bought(scrubbed, askedAt);
      },
    });
    /** Whether SearchBug has told of any number: what it refuses then is about the number. */
    let isAnswered = false;
    const refused: Refused[] = [];
    const count = async (outcomes: ReadonlyMap<string, Outcome<PhoneVerdict>>) => {
      const lost: string[] = [];
      for (const outcome of outcomes.values()) {
        if (outcome.state === 'uncertain') {
          progress.add({ numbersUncertain: 1 });
          lost.push(outcome.subject);
          continue;
        }
        isAnswered = true;
        const { status } = outcome.answer;
        progress.add({ numbersDone: 1, numbersKnown: outcome.known ? 1 : 0 });
        if (status === 'safe') progress.add({ safe: 1 });
        else if (status !== 'not_checked') progress.add({ flagged: 1 });
      }
      await storeWithout(deps.db, run, numbers, lost, 'lost');
    };
    await storeUncheckable(deps.db, run.listId, sorted);
    try {
      const unknown: string[] = [];
      for (const chunk of chunks([...numbers.keys()], MEMORY_CHUNK)) {
        const remembered = await payFromMemory(context, purchase(chunk));
        await count(remembered);
        unknown.push(...chunk.filter((number) => !remembered.has(number)));
      }
      const check = async (batch: readonly string[]) => {
        const part = await checkInParts(batch, async (some) => count(await pay(context, purchase(some), steps)));
        refused.push(...part);
        const [whole] = part.length === BATCH_SIZE ? part : [];
        if (whole) throw whole.error;
        if (charged === undefined || charged === noted) return;
        noted = charged;
        // The next answer notes it again.
        const failed = (error: unknown) => deps.log.warn({ err: error }, 'the price of a key was not noted');
        notes.push(noteRate(deps.db, context.key, 'searchbug', charged).catch(failed));
      };
      // Without a price of today the first batch goes alone, so that only it can cost more than expected.
      const alone = isFresh ? [] : unknown.splice(0, BATCH_SIZE);
      if (alone.length > 0) await check(alone);
      await forEachAtOnce(chunks(unknown, BATCH_SIZE), IN_FLIGHT.searchbug ?? 1, check);
      const [first] = refused;
      if (first && !isAnswered) throw first.error;
      progress.add({ numbersDone: refused.length });
      const bad = refused.map(({ number }) => number);
      await storeWithout(deps.db, run, numbers, bad, 'refused');
    } catch (error) {
      await Promise.all([progress.flush(), ...notes]);
      throw error;
    }
    await Promise.all(notes);
    return { totals: await progress.end(), afterwards: () => noteBalance(context, balance) };
  },
  async listAfter(tx, list, end) {
    // Money that was spent counts however the run ended.
    const cost = { compliance_cost_micros: costOfChecks(list.id) };
    if (end !== 'completed') return cost;
    const { open, expiresAt } = await sortPhones(tx, list.id);
    return { ...cost, compliance_checked: open === 0, compliance_expires_at: expiresAt };
  },
};

function bought(
  { verdicts, reply, rateMicros = prices.searchbugNumberMicros }: PhoneScrub,
  askedAt: Date,
): ReadonlyMap<string, Bought<PhoneVerdict>> {
  const origin: Origin = {
    request: randomUUID(),
    providerRequest: reply.requestId,
    askedAt,
    answeredAt: new Date(),
    reply: reply.body,
  };
  return new Map(
    [...verdicts].map(([number, answer]) => [
      number,
      { answer, costMicros: rateMicros, rememberMs: rememberVerdict(answer.status), origin },
    ]),
  );
}
