import { sql } from 'kysely';
import { beforeAll, expect, test, vi } from 'vitest';
import { maxCostOf } from '#contract/money/budgets.ts';
import { checkComplianceEndpoint, estimateComplianceEndpoint } from '#contract/work/compliance.ts';
import { enrichEmailsEndpoint, estimateEnrichmentEndpoint } from '#contract/work/enrichment.ts';
import { getRunEndpoint, listRunsEndpoint } from '#contract/work/runs.ts';
import { countSearchEndpoint, searchLeadsEndpoint } from '#contract/work/search/search.ts';
import { buildList, buildListOf, readCalls, readRuns } from '#test/lists.ts';
import { type Process, type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
let other: Process;
beforeAll(async () => {
  // Runs stay as they were started until a test brings a worker.
  product = await startProduct({ worker: false });
  other = await product.process({ worker: false });
});

const leads = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    website: `https://one-price${index}.example/`,
    phone: `+1 512-555-01${String(index).padStart(2, '0')}`,
  }));
const search = { query: 'plumbers', location: 'Springfield, IL', radius: 8_000, maxResults: 60 };
async function person(): Promise<TestUser> {
  const user = await product.user();
  for (const provider of ['google_places', 'hunter_io', 'searchbug'] as const) await user.connect(provider, 'sandbox');
  return user;
}
const runsOf = (user: TestUser) => readRuns(product.db, user.id);
async function begun(user: TestUser, work: Promise<unknown>, count = 1): Promise<void> {
  work.catch(() => {});
  await vi.waitFor(async () => expect(await runsOf(user)).toHaveLength(count), 15_000);
}

test('what a dialog shows is what it sends, and what the run stores and tells', async () => {
  const user = await person();
  const list_id = await buildListOf(product.db, user.id, leads(7));
  // A price of SearchBug that is no whole cent.
  await sql`
    insert into app.call_rates (bucket, day, rate_micros)
    select provider || ':' || fingerprint, now()::date, 20501 from app.provider_keys
    where user_id = ${user.id} and provider = 'searchbug'
  `.execute(product.db);
  const check = await user.call(estimateComplianceEndpoint, { list_id });
  expect(check).toMatchObject({ boundMicros: 7 * 20_501, callMicros: 20_501 });
  await begun(user, user.call(checkComplianceEndpoint, { list_id, ...maxCostOf(check.boundMicros) }));
  const emails = await user.call(estimateEnrichmentEndpoint, { list_id, steps: ['hunter'] });
  await begun(
    user,
    user.call(enrichEmailsEndpoint, { list_id, ...maxCostOf(emails.boundMicros), steps: ['hunter'] }),
    2,
  );
  const places = await user.call(countSearchEndpoint, search);
  expect(places).toMatchObject({ boundMicros: 137_000, callMicros: 32_000 });
  const other_list = await buildList(product.db, user.id);
  await begun(
    user,
    user.call(searchLeadsEndpoint, { ...search, list_id: other_list, ...maxCostOf(places.boundMicros) }),
    3,
  );
  const shown = [check, emails, places].map(({ boundMicros }) => boundMicros);
  const stored = await runsOf(user);
  expect(stored.map((run) => run.bound_micros)).toEqual(shown);
  for (const { id, bound_micros } of stored)
    expect(await user.call(getRunEndpoint, undefined, { id })).toMatchObject({ run: { boundMicros: bound_micros } });
  const { runs } = await user.call(listRunsEndpoint, undefined, { list_id });
  expect(runs.map((run) => run.boundMicros)).toEqual([emails.boundMicros, check.boundMicros]);
});

test('a price that rises between the dialog and the start changes nothing about what may be charged', async () => {
  const user = await person();
  const list_id = await buildListOf(product.db, user.id, leads(3));
  const { boundMicros } = await user.call(estimateEnrichmentEndpoint, { list_id, steps: ['hunter'] });
  await product.db
    .insertInto('leads')
    .values(
      // So many that what costs nothing does not make room for all.
      Array.from({ length: 8 }, (_, index) => ({
        list_id,
        position: 3 + index,
        business_name: 'Come later',
        website: `https://one-price-later${index}.example/`,
      })),
    )
    .execute();
  const working = user.call(enrichEmailsEndpoint, { list_id, ...maxCostOf(boundMicros), steps: ['hunter'] });
  await begun(user, working);
  const worker = await product.process();
  await expect(working).rejects.toMatchObject({
    code: 'BOUND_REACHED',
    message: 'The run stopped at its limit of $0.15. What was found so far is kept.',
  });
  expect((await readCalls(product.db, user.id)).reduce((sum, call) => sum + call.cost_micros, 0)).toBeLessThanOrEqual(
    boundMicros,
  );
  await worker.stop();
});

test('nothing to pay pays nothing, also when there is more by then', async () => {
  const user = await person();
  const list_id = await buildListOf(product.db, user.id, [{ website: 'https://one-price-nothing.example/' }]);
  const working = user.call(enrichEmailsEndpoint, { list_id, ...maxCostOf(0), steps: ['hunter'] });
  await begun(user, working);
  expect(await runsOf(user)).toMatchObject([{ bound_micros: 0 }]);
  const worker = await product.process();
  await expect(working).rejects.toMatchObject({ code: 'BOUND_REACHED' });
  expect((await readCalls(product.db, user.id)).filter((call) => call.sent_at)).toEqual([]);
  await worker.stop();
});

test('who joins a run in another tab with less makes it cost less from then on; with more changes nothing', async () => {
  const user = await person();
  const list_id = await buildListOf(product.db, user.id, leads(10));
  const first = user.call(enrichEmailsEndpoint, { list_id, max_cost: 0.4, steps: ['hunter'] });
  await begun(user, first);
  const tab = other.as(user);
  const more = tab.call(enrichEmailsEndpoint, { list_id, max_cost: 0.45, steps: ['hunter'] });
  const less = tab.call(enrichEmailsEndpoint, { list_id, max_cost: 0.125, steps: ['hunter'] });
  for (const one of [more, less]) one.catch(() => {});
  await vi.waitFor(async () => expect(await runsOf(user)).toMatchObject([{ bound_micros: 125_000 }]), 15_000);
  const worker = await product.process();
  for (const one of [first, more, less])
    await expect(one).rejects.toMatchObject({
      code: 'BOUND_REACHED',
      message: expect.stringContaining('its limit of $0.125.'),
    });
  const cost = (await readCalls(product.db, user.id)).reduce((sum, call) => sum + call.cost_micros, 0);
  expect(cost).toBeGreaterThan(0);
  expect(cost).toBeLessThanOrEqual(125_000);
  await worker.stop();
});
