import { beforeAll, expect, test } from 'vitest';
import { enrichEmailsEndpoint, estimateEnrichmentEndpoint } from '#contract/work/enrichment.ts';
import { duplicateListEndpoint } from '#contract/work/lists.ts';
import { buildListOf, readRuns } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
let user: TestUser;
beforeAll(async () => {
  product = await startProduct();
  user = await product.user();
  await user.connect('hunter_io', 'sandbox-estimate');
});

const sites = (...names: string[]) => names.map((name) => ({ website: `https://www.${name}.example/` }));
const estimate = (list_id: string, who = user) => who.call(estimateEnrichmentEndpoint, { list_id, steps: ['hunter'] });

test('a domain counts once, and leads without one of their own cost nothing', async () => {
  const leads = [...sites('quay', 'quay', 'mole'), { website: null }, { website: 'https://facebook.com/pier' }];
  expect(await estimate(await buildListOf(product.db, user.id, leads))).toEqual({
    leads: 5,
    suppressed: 0,
    withoutWebsite: 1,
    onSharedHost: 1,
    toLookUp: 2,
    toVisit: 0,
    foundFree: 0,
    known: 0,
    toVerify: 0,
    verified: 0,
    elsewhere: 0,
    boundMicros: 100_000,
    callMicros: 50_000,
    sandbox: true,
  });
});

test('what is known is taken off, in the estimate as in the bound of the run', async () => {
  const first = await buildListOf(product.db, user.id, sites('buoy', 'reef', 'shoal'));
  await user.call(enrichEmailsEndpoint, { list_id: first, steps: ['hunter'] });
  const second = await buildListOf(product.db, user.id, sites('buoy', 'reef', 'shoal', 'ferry', 'harbour'));
  expect(await estimate(second)).toMatchObject({ toLookUp: 2, known: 3, boundMicros: 100_000 });
  await user.call(enrichEmailsEndpoint, { list_id: second, steps: ['hunter'] });
  const run = (await readRuns(product.db, user.id)).at(-1);
  expect(run).toMatchObject({ list_id: second, estimate_micros: 100_000, bound_micros: 100_000 });
  expect(await estimate(second)).toMatchObject({ toLookUp: 0, known: 5, boundMicros: 0 });

  const { list_id: copy } = await user.call(duplicateListEndpoint, { list_id: second });
  expect(await estimate(copy)).toMatchObject({ toLookUp: 0, known: 5, boundMicros: 0 });
  const asked = product.sandbox.meter.totals('hunter').calls;
  expect((await user.call(enrichEmailsEndpoint, { list_id: copy, steps: ['hunter'] })).cost).toBe(0);
  expect(product.sandbox.meter.totals('hunter').calls).toBe(asked);
});

test('what has been forgotten is paid for again', async () => {
  const list = await buildListOf(product.db, user.id, sites('tide'));
  await user.call(enrichEmailsEndpoint, { list_id: list, steps: ['hunter'] });
  expect(await estimate(list)).toMatchObject({ known: 1, boundMicros: 0 });
  await product.db
    .updateTable('app.answers')
    .set({ expires_at: new Date(Date.now() - 1) })
    .where('subject', '=', 'tide.example')
    .execute();
  expect(await estimate(list)).toMatchObject({ toLookUp: 1, known: 0, boundMicros: 50_000 });
});

test("what others know, and what is known of invented data, is not one's own", async () => {
  const other = await product.user();
  const leads = sites('anchor');
  await user.call(enrichEmailsEndpoint, { list_id: await buildListOf(product.db, user.id, leads), steps: ['hunter'] });
  expect(await estimate(await buildListOf(product.db, other.id, leads), other)).toMatchObject({ known: 0 });
  await user.connect('hunter_io', 'a-real-looking-key');
  const real = await buildListOf(product.db, user.id, leads, { sandbox: false });
  expect(await estimate(real)).toMatchObject({ known: 0 });
  await expect(estimate(await buildListOf(product.db, other.id, leads))).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
