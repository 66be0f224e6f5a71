import { beforeAll, expect, test } from 'vitest';
import { settleCallsEndpoint } from '#contract/money/paid-calls.ts';
import { checkComplianceEndpoint } from '#contract/work/compliance.ts';
import { sortPhones } from '#server/calling/sort-phones.ts';
import { finishRun } from '#server/runs/finish-run.ts';
import { kinds } from '#server/wiring/run-kinds.ts';
import { eventually } from '#test/eventually.ts';
import { buildListOf, readCalls, readLeads, readList, readRuns } from '#test/lists.ts';
import { type Product, startProduct } from '#test/product.ts';
import { storeUncheckable, storeWithout } from './store-verdicts.ts';

const PRICE = 20_000;
const NUMBER = '5125550123';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});

/** A check that was ended while SearchBug's answer, which is charged, was still on its way. `arrive` lets it come. */
async function loseAnAnswer(key: string) {
  const user = await product.user();
  await user.connect('searchbug', key);
  const list_id = await buildListOf(product.db, user.id, [{ phone: `+1 ${NUMBER}` }]);
  const { providers } = product.workerDeps;
  const original = providers.phoneScrubber;
  const answered = Promise.withResolvers<void>();
  const late = Promise.withResolvers<void>();
  providers.phoneScrubber = (apiKey) => ({
    ...original(apiKey),
    async scrub(numbers) {
      const answer = await original(apiKey).scrub(numbers);
      answered.resolve();
      await late.promise;
      return answer;
    },
  });
  const refused = expect(user.call(checkComplianceEndpoint, { list_id })).rejects.toMatchObject({
    code: 'UNAVAILABLE',
  });
  await answered.promise;
  providers.phoneScrubber = original;
  const [run] = await readRuns(product.db, user.id);
  const failure = { code: 'UNAVAILABLE', message: 'It stood still.' } as const;
  await finishRun(product.workerDeps, kinds, { id: run?.id ?? '' }, { end: 'failed', failure });
  await refused;
  return { user, list_id, runId: run?.id ?? '', arrive: () => late.resolve() };
}

test('an answer that comes after its number was settled as not charged and bought again counts in what the list has cost', async () => {
  const { user, list_id, runId, arrive } = await loseAnAnswer('sandbox-late-check');
  await user.call(settleCallsEndpoint, { run_id: runId, charged: false });
  await user.call(checkComplianceEndpoint, { list_id });
  expect((await readList(product.db, list_id)).compliance_cost_micros).toBe(PRICE);
  arrive();
  await eventually(async () => expect((await readList(product.db, list_id)).compliance_cost_micros).toBe(2 * PRICE));
  expect((await readCalls(product.db, user.id)).map((call) => `${call.state} ${call.cost_micros}`)).toEqual([
    `answered ${PRICE}`,
    `answered ${PRICE}`,
  ]);
  expect(product.sandbox.meter.rows().find((row) => row.key.endsWith('late-check'))?.micros).toBe(2 * PRICE);
});

test('a verdict that comes in the moment in which its number is given up stays', async () => {
  const { user, list_id, runId, arrive } = await loseAnAnswer('sandbox-given-up');
  const run = { id: runId, userId: user.id, listId: list_id, sandbox: true, input: {}, totals: {} };
  const { numbers } = await sortPhones(product.db, list_id);
  const status = async () => (await readLeads(product.db, list_id))[0]?.compliance_status;
  const reason = async () => (await readLeads(product.db, list_id))[0]?.compliance_reason;
  await storeWithout(product.workerDeps.db, run, numbers, [NUMBER], 'lost');
  expect(await reason()).toContain('lost');
  arrive();
  await eventually(async () => expect(await status()).not.toBe('not_checked'));
  const verdict = await status();
  await storeWithout(product.workerDeps.db, run, numbers, [NUMBER], 'lost');
  expect(await status()).toBe(verdict);
});

test('a lead that got a number while its list was sorted is not said to have none', async () => {
  const list = await buildListOf(product.db, (await product.user()).id, [{ phone: '+1 415-555-0111' }, { phone: ' ' }]);
  const leads = await readLeads(product.db, list);
  await storeUncheckable(product.db, list, { notUs: [], withoutPhone: leads.map(({ id }) => id) });
  expect((await readLeads(product.db, list)).map((lead) => lead.compliance_reason)).toEqual([null, 'No phone number']);
});
