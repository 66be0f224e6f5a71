import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { listMetersEndpoint, type MeteredProvider, readMeterEndpoint } from '#contract/money/meters.ts';
import { checkComplianceEndpoint } from '#contract/work/compliance.ts';
import { enrichEmailsEndpoint } from '#contract/work/enrichment.ts';
import { buildListOf } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});

const LEADS = Array.from({ length: 12 }, (_, index) => ({
  website: `https://meter${index}.example/`,
  phone: `+1 512-555-017${index % 10}`,
}));
const read = async (user: TestUser, provider: MeteredProvider) =>
  (await user.call(readMeterEndpoint, { provider })).meter;
async function userWith(key: string) {
  const user = await product.user();
  await user.connect('hunter_io', key);
  await user.connect('searchbug', key);
  return { user, listId: await buildListOf(product.db, user.id, LEADS) };
}

const shown = async (user: TestUser, provider: MeteredProvider) =>
  (await user.call(listMetersEndpoint)).meters.find((meter) => meter.provider === provider);
/** Has the ledger hold one call less than was charged. */
const forgetCall = (user: TestUser, provider: MeteredProvider) =>
  sql`
    update app.paid_calls set state = 'failed', cost_micros = 0 where id = (
      select id from app.paid_calls where user_id = ${user.id} and provider = ${provider} and cost_micros > 0 limit 1)
  `.execute(product.db);

test('the ledger agrees with both meters, and a reading costs nothing', async () => {
  const { user, listId } = await userWith('sandbox-meter');
  expect(await user.call(listMetersEndpoint)).toEqual({ meters: [], connected: ['hunter_io', 'searchbug'] });
  for (const provider of ['hunter_io', 'searchbug'] as const)
    expect(await read(user, provider)).toMatchObject({ state: 'first', since: null });
  await user.call(enrichEmailsEndpoint, { list_id: listId, steps: ['hunter'] });
  await user.call(checkComplianceEndpoint, { list_id: listId });
  const hunter = await read(user, 'hunter_io');
  expect(hunter).toMatchObject({ state: 'agrees', booked: hunter.metered });
  expect(hunter.metered).toBeGreaterThan(0);
  expect((await user.call(listMetersEndpoint)).meters[0]).toEqual(hunter);
  expect(await read(user, 'hunter_io')).toMatchObject({ state: 'agrees', metered: 0, booked: 0 });
});

test('a check tells what is left on the account; what the ledger does not hold is drift until someone compares', async () => {
  const { user, listId } = await userWith('sandbox-drift');
  await read(user, 'searchbug');
  await user.call(checkComplianceEndpoint, { list_id: listId });
  await expect
    .poll(() => shown(user, 'searchbug'))
    .toMatchObject({ state: 'agrees', metered: 200_000, booked: 200_000 });
  await forgetCall(user, 'searchbug');
  expect(await shown(user, 'searchbug')).toMatchObject({ state: 'drifts', metered: 200_000, booked: 180_000 });
  const more = await buildListOf(product.db, user.id, [{ phone: '+1 512-555-0190' }]);
  await user.call(checkComplianceEndpoint, { list_id: more });
  await expect
    .poll(() => shown(user, 'searchbug'))
    .toMatchObject({ state: 'drifts', metered: 220_000, booked: 200_000 });
  expect(await read(user, 'searchbug')).toMatchObject({ state: 'agrees', metered: 0, booked: 0 });
});

test('an enrichment asks Hunter for its count after it has ended, once a day', async () => {
  const { user, listId } = await userWith('sandbox-daily');
  await user.call(enrichEmailsEndpoint, { list_id: listId, steps: ['hunter'] });
  await expect.poll(() => shown(user, 'hunter_io')).toMatchObject({ state: 'first' });
  const enrichMore = async (site: string) =>
    user.call(enrichEmailsEndpoint, {
      list_id: await buildListOf(product.db, user.id, [{ website: site }]),
      steps: ['hunter'],
    });
  await enrichMore('https://daily1.example/');
  await sql`update app.meter_readings set read_at = read_at - interval '25 hours' where user_id = ${user.id}`.execute(
    product.db,
  );
  await enrichMore('https://daily2.example/');
  await expect.poll(() => shown(user, 'hunter_io')).toMatchObject({ since: expect.any(String) });
  const { rows } =
    await sql`select from app.meter_readings where user_id = ${user.id} and provider = 'hunter_io'`.execute(product.db);
  expect(rows).toHaveLength(2);
});

test('a lost answer fits whether it was charged or not', async () => {
  const { user, listId } = await userWith('sandbox-maybe');
  await read(user, 'searchbug');
  await user.call(checkComplianceEndpoint, { list_id: listId });
  await expect.poll(() => shown(user, 'searchbug')).toMatchObject({ state: 'agrees' });
  await sql`
    update app.paid_calls set state = 'uncertain' where id = (select id from app.paid_calls where user_id = ${user.id} limit 1)
  `.execute(product.db);
  expect(await shown(user, 'searchbug')).toMatchObject({ state: 'agrees', booked: 180_000, uncertain: 20_000 });
});

test('a new billing period or a payment is no drift, and another key has a meter of its own', async () => {
  const { user } = await userWith('sandbox-reset');
  await read(user, 'hunter_io');
  await read(user, 'searchbug');
  await sql`
    update app.meter_readings set period = case when provider = 'hunter_io' then '2026-11-03' end,
      value = case when provider = 'searchbug' then value - 5000000 else value end
    where user_id = ${user.id}
  `.execute(product.db);
  expect(await read(user, 'hunter_io')).toMatchObject({ state: 'reset' });
  expect(await read(user, 'searchbug')).toMatchObject({ state: 'reset' });
  await user.connect('hunter_io', 'sandbox-another-account');
  expect(await read(user, 'hunter_io')).toMatchObject({ state: 'first' });
});

test('without a key, and while calls are under way, nothing is read', async () => {
  const nobody = await product.user();
  await expect(read(nobody, 'hunter_io')).rejects.toMatchObject({ code: 'MISSING_API_KEY' });
  const { user, listId } = await userWith('sandbox-busy');
  await user.call(enrichEmailsEndpoint, { list_id: listId, steps: ['hunter'] });
  await sql`update app.paid_calls set state = 'sent' where user_id = ${user.id}`.execute(product.db);
  await expect(read(user, 'hunter_io')).rejects.toMatchObject({ code: 'CONFLICT', message: /under way/ });
});
