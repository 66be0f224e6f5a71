import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { settleCallsEndpoint } from '#contract/money/paid-calls.ts';
import { enrichEmailsEndpoint } from '#contract/work/enrichment.ts';
import { finishRun } from '#server/runs/finish-run.ts';
import { kinds } from '#server/wiring/run-kinds.ts';
import { countLockWaits } from '#test/databases/count-lock-waits.ts';
import { eventually } from '#test/eventually.ts';
import { buildListOf, readCalls, readRuns } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

const PRICE = 50_000;

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});

/** A run that was ended while Hunter's answer, which is charged, was still on its way. `arrive` lets it come. */
async function loseAnAnswer(key: string) {
  const user = await product.user();
  await user.connect('hunter_io', key);
  const list_id = await buildListOf(product.db, user.id, [{ website: 'https://mc1.example' }]);
  const { providers } = product.workerDeps;
  const original = providers.emailFinder;
  const answered = Promise.withResolvers<void>();
  const late = Promise.withResolvers<void>();
  providers.emailFinder = (apiKey) => ({
    ...original(apiKey),
    async searchDomain(domain, options) {
      const answer = await original(apiKey).searchDomain(domain, options);
      answered.resolve();
      await late.promise;
      return answer;
    },
  });
  const refused = expect(user.call(enrichEmailsEndpoint, { list_id, steps: ['hunter'] })).rejects.toMatchObject({
    code: 'UNAVAILABLE',
  });
  await answered.promise;
  providers.emailFinder = original;
  const [run] = await readRuns(product.db, user.id);
  const failure = { code: 'UNAVAILABLE', message: 'It stood still.' } as const;
  await finishRun(product.workerDeps, kinds, { id: run?.id ?? '' }, { end: 'failed', failure });
  await refused;
  return { user, list_id, runId: run?.id ?? '', arrive: () => late.resolve() };
}

/** The same domain in another list, asked about again; `arrive` lets its answer come as well. */
async function askAgain(user: TestUser) {
  const list_id = await buildListOf(product.db, user.id, [{ website: 'https://mc1.example' }]);
  const { providers } = product.workerDeps;
  const original = providers.emailFinder;
  const { promise, resolve } = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  providers.emailFinder = (apiKey) => ({
    ...original(apiKey),
    async searchDomain(domain, options) {
      const answer = await original(apiKey).searchDomain(domain, options);
      asked.resolve();
      await promise;
      return answer;
    },
  });
  const ended = user.call(enrichEmailsEndpoint, { list_id, steps: ['hunter'] });
  await asked.promise;
  providers.emailFinder = original;
  return { ended, arrive: () => resolve() };
}

const booked = async (userId: string) =>
  (await readCalls(product.db, userId)).map((call) => `${call.state} ${call.cost_micros}`);
const metered = (key: string) => product.sandbox.meter.rows().find((row) => row.key === key)?.micros;

test('a domain that was settled as charged and is bought again is booked once, as Hunter charges it', async () => {
  const { user, list_id, runId } = await loseAnAnswer('sandbox-settled');
  await user.call(settleCallsEndpoint, { run_id: runId, charged: true });
  await user.call(enrichEmailsEndpoint, { list_id, steps: ['hunter'] });
  expect(await booked(user.id)).toEqual(['failed 0', `answered ${PRICE}`]);
  expect(metered('sandbox-settled')).toBe(PRICE);
});

test('an answer that comes when a later call has brought it is booked at nothing', async () => {
  const { user, list_id, arrive } = await loseAnAnswer('sandbox-late');
  await user.call(enrichEmailsEndpoint, { list_id, steps: ['hunter'] });
  arrive();
  await eventually(async () => expect(await booked(user.id)).toEqual(['answered 0', `answered ${PRICE}`]));
  expect(metered('sandbox-late')).toBe(PRICE);
});

test('an answer that comes after its call was settled by hand is booked at what it cost', async () => {
  const { user, runId, arrive } = await loseAnAnswer('sandbox-by-hand');
  await user.call(settleCallsEndpoint, { run_id: runId, charged: false });
  arrive();
  await eventually(async () => expect(await booked(user.id)).toEqual([`answered ${PRICE}`]));
  const [call] = await readCalls(product.db, user.id);
  expect(call?.settled_by_hand_at).toBeNull();
});

test('an answer that comes while its domain is asked about again is booked at nothing as soon as that is answered', async () => {
  const { user, arrive } = await loseAnAnswer('sandbox-between');
  const again = await askAgain(user);
  arrive();
  await eventually(async () => expect(await booked(user.id)).toEqual([`answered ${PRICE}`, `sent ${PRICE}`]));
  again.arrive();
  await again.ended;
  expect(await booked(user.id)).toEqual(['answered 0', `answered ${PRICE}`]);
  expect(metered('sandbox-between')).toBe(PRICE);
});

test('two answers about a domain that are booked in the same instant are booked once', async () => {
  const { user, runId, arrive } = await loseAnAnswer('sandbox-instant');
  const again = await askAgain(user);
  // Holds whichever comes to the sums of the first run, with its call booked and not committed.
  await product.db.transaction().execute(async (tx) => {
    await sql`select from app.ledger_days where run_id = ${runId} for update`.execute(tx);
    arrive();
    again.arrive();
    await eventually(async () => expect(await countLockWaits(product.db)).toBeGreaterThanOrEqual(2));
  });
  await again.ended;
  await eventually(async () => expect(await booked(user.id)).toEqual(['answered 0', `answered ${PRICE}`]));
  expect(metered('sandbox-instant')).toBe(PRICE);
});

test('an answer that comes when a later call was free is booked at what it cost, and one still earlier is not', async () => {
  const { rows: people } = await sql<{ id: string }>`select id from auth.users limit 1`.execute(product.db);
  const user = people[0]?.id ?? '';
  const out = async (at: string) => {
    const { rows } = await sql<{ run: string; call: string }>`
      with run as (
        insert into app.runs (user_id, list_name, kind, input, sandbox, state, started_at, finished_at)
        values (${user}, 'Late', 'enrichment', '{}', true, 'failed', now(), now()) returning id
      )
      insert into app.paid_calls (idempotency_key, run_id, user_id, provider, operation, subject, state, estimate_micros, cost_micros,
        sandbox, sent_at)
      select id::text, id, ${user}, 'hunter_io', 'domain_search', 'free.example', 'uncertain', 50000, 50000, true, ${at}::timestamptz from run
      returning run_id as run, id as call
    `.execute(product.db);
    const [made] = rows;
    if (!made) throw new Error('No call was made.');
    return {
      settle: (cost: number) =>
        sql`
          select app.book_answers(${made.run}::uuid, 'hunter_io', 'domain_search', 'bucket', 30, ${JSON.stringify([
            {
              id: made.call,
              subject: 'free.example',
              cost,
              answer: { contacts: [], cost },
              answered_at: new Date(),
              expires_at: null,
            },
          ])}::jsonb)
        `.execute(product.db),
      cost: async () =>
        (
          await product.db
            .selectFrom('app.paid_calls')
            .select('cost_micros')
            .where('id', '=', made.call)
            .executeTakeFirstOrThrow()
        ).cost_micros,
    };
  };
  const now = Date.now();
  const [earliest, early, late] = await Promise.all(
    [30, 20, 10].map((seconds) => out(new Date(now - seconds * 1_000).toISOString())),
  );
  if (!earliest || !early || !late) throw new Error('Three calls were not made.');
  // The last one found nothing, which Hunter does not charge for.
  await late.settle(0);
  await early.settle(PRICE);
  expect([await early.cost(), await late.cost()]).toEqual([PRICE, 0]);
  await earliest.settle(PRICE);
  expect([await earliest.cost(), await early.cost(), await late.cost()]).toEqual([0, PRICE, 0]);
  const { answer } = await product.db
    .selectFrom('app.answers')
    .select('answer')
    .where('subject', '=', 'free.example')
    .executeTakeFirstOrThrow();
  expect(answer).toMatchObject({ cost: PRICE });
});
