import { beforeAll, expect, test } from 'vitest';
import { checkComplianceEndpoint, estimateComplianceEndpoint } from '#contract/work/compliance.ts';
import { buildListOf, readLeads, readRuns } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
let user: TestUser;
beforeAll(async () => {
  product = await startProduct();
  user = await product.user();
  await user.connect('searchbug', 'sandbox-estimate');
});

const phones = (...ends: string[]) => ends.map((end) => ({ phone: `+1 217-555-01${end}` }));
const estimate = (list_id: string, lead_ids?: string[]) =>
  user.call(estimateComplianceEndpoint, lead_ids ? { list_id, lead_ids } : { list_id });

test('a number counts once, and what is no US number costs nothing', async () => {
  const leads = [...phones('01', '01', '02'), { phone: null }, { phone: '+44 1624 555 010' }];
  expect(await estimate(await buildListOf(product.db, user.id, leads))).toEqual({
    leads: 5,
    suppressed: 0,
    withoutPhone: 1,
    notUs: 1,
    toCheck: 2,
    known: 0,
    lost: 0,
    expired: 0,
    elsewhere: 0,
    boundMicros: 40_000,
    callMicros: 20_000,
    sandbox: true,
  });
});

test('verdicts that still hold are taken off, in the estimate as in the bound of the run; those that have run out are not', async () => {
  await user.call(checkComplianceEndpoint, { list_id: await buildListOf(product.db, user.id, phones('10', '11')) });
  const list = await buildListOf(product.db, user.id, phones('10', '11', '12', '13'));
  expect(await estimate(list)).toMatchObject({ toCheck: 2, known: 2, expired: 0, boundMicros: 40_000 });
  await user.call(checkComplianceEndpoint, { list_id: list });
  expect((await readRuns(product.db, user.id)).at(-1)).toMatchObject({ list_id: list, bound_micros: 40_000 });
  expect(await estimate(list)).toMatchObject({ toCheck: 0, known: 4, boundMicros: 0 });

  const longAgo = new Date(Date.now() - 32 * 86_400_000);
  await product.db
    .updateTable('leads')
    .set({ compliance_status: 'safe', compliance_checked_at: longAgo })
    .where('list_id', '=', list)
    .where('position', '<', 3)
    .execute();
  await product.db
    .updateTable('app.answers')
    .set({ expires_at: new Date(Date.now() - 1) })
    .where('subject', 'in', ['2175550110', '2175550111', '2175550112'])
    .execute();
  const expired = { toCheck: 3, known: 1, expired: 3, boundMicros: 60_000 };
  expect(await estimate(list)).toMatchObject(expired);
  // As the daily sweep leaves them.
  await product.db
    .updateTable('leads')
    .set({ compliance_status: 'not_checked' })
    .where('compliance_checked_at', '=', longAgo)
    .execute();
  expect(await estimate(list)).toMatchObject(expired);
});

test('of chosen leads only, which are of the list', async () => {
  const list = await buildListOf(product.db, user.id, phones('20', '21', '22'));
  const [first] = await readLeads(product.db, list);
  expect(await estimate(list, [first?.id ?? ''])).toMatchObject({ leads: 1, toCheck: 1, boundMicros: 20_000 });
  const other = await buildListOf(product.db, user.id, phones('23'));
  await expect(estimate(other, [first?.id ?? ''])).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('a number whose answer was lost is not asked again, and so costs nothing', async () => {
  const other = await product.user();
  await other.connect('searchbug', 'sandbox-malformed');
  const list_id = await buildListOf(product.db, other.id, phones('30', '31'));
  await other.call(checkComplianceEndpoint, { list_id });
  expect(await other.call(estimateComplianceEndpoint, { list_id })).toMatchObject({
    toCheck: 0,
    lost: 2,
    boundMicros: 0,
  });
});
