import { beforeAll, expect, test } from 'vitest';
import { checkComplianceEndpoint } from '#contract/work/compliance.ts';
import { enrichEmailsEndpoint } from '#contract/work/enrichment.ts';
import { listRunsEndpoint } from '#contract/work/runs.ts';
import { buildListOf, readLeads } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
let user: TestUser;
let listId: string;
beforeAll(async () => {
  product = await startProduct();
  user = await product.user();
  await user.connect('hunter_io', 'sandbox-list-runs');
  await user.connect('searchbug', 'sandbox-list-runs');
  const leads = [{ website: 'https://one.example', phone: '+1 512-555-0142' }, { website: 'https://two.example' }];
  listId = await buildListOf(product.db, user.id, leads);
  await user.call(enrichEmailsEndpoint, { list_id: listId, steps: ['hunter'] });
  await user.call(checkComplianceEndpoint, { list_id: listId });
});

test('all runs of one list, newest first, with totals and cost', async () => {
  const { runs } = await user.call(listRunsEndpoint, undefined, { list_id: listId });
  expect(runs.map((run) => run.kind)).toEqual(['compliance', 'enrichment']);
  expect(runs[0]).toMatchObject({
    listId,
    state: 'completed',
    errorCode: null,
    estimateMicros: 20_000,
    costMicros: 20_000,
    compliance: { leads: 2, withoutPhone: 1, numbers: 1, numbersDone: 1 },
  });
  expect(runs[1]).toMatchObject({ enrichment: { domains: 2, domainsDone: 2 } });
  expect(runs[0]?.enrichment).toBeUndefined();
});

test('without a list: the newest run of each list', async () => {
  const second = await buildListOf(product.db, user.id, [{ website: null }]);
  await user.call(enrichEmailsEndpoint, { list_id: second, steps: ['hunter'] });
  const { runs } = await user.call(listRunsEndpoint);
  expect(runs.map((run) => [run.listId, run.kind])).toEqual([
    [second, 'enrichment'],
    [listId, 'compliance'],
  ]);
});

test('a check of chosen leads that failed says which they were', async () => {
  await user.connect('searchbug', 'sandbox-bad-key');
  const id = await buildListOf(product.db, user.id, [{ phone: '+1 512-555-0101' }, { phone: '+1 512-555-0102' }]);
  const lead_ids = [(await readLeads(product.db, id))[1]?.id ?? ''];
  await expect(user.call(checkComplianceEndpoint, { list_id: id, lead_ids })).rejects.toMatchObject({ status: 422 });
  await expect(user.call(checkComplianceEndpoint, { list_id: id })).rejects.toMatchObject({ status: 422 });
  const { runs } = await user.call(listRunsEndpoint, undefined, { list_id: id });
  expect(runs.map((run) => run.leadIds)).toEqual([undefined, lead_ids]);
});

test("someone else's runs are not found", async () => {
  const other = await product.user();
  expect(await other.call(listRunsEndpoint)).toEqual({ runs: [] });
  for (const id of [listId, 'nonsense'])
    await expect(other.call(listRunsEndpoint, undefined, { list_id: id })).rejects.toMatchObject({ status: 404 });
});
