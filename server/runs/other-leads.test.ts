import { beforeAll, expect, test } from 'vitest';
import { checkComplianceEndpoint } from '#contract/work/compliance.ts';
import { enrichEmailsEndpoint } from '#contract/work/enrichment.ts';
import { countLeadsEndpoint } from '#contract/work/lead-counts.ts';
import { buildListOf, readCalls, readList, readRuns } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});

type Asked = { list_id: string; matching: object; digest?: string | undefined };
const WORK: Record<string, (user: TestUser, asked: Asked) => Promise<unknown>> = {
  'an enrichment': (user, asked) => user.call(enrichEmailsEndpoint, { ...asked, steps: ['hunter'] }),
  'a check': (user, asked) => user.call(checkComplianceEndpoint, asked),
};
/** What is chosen of three leads of which one has an email, and what then changes. */
const CHANGES = {
  'as many others fit': { matching: { lacks: 'email' } },
  'another one fits': { matching: { has: 'email' } },
};

test.each(
  Object.entries(WORK).flatMap(([what, start]) =>
    Object.entries(CHANGES).map(([how, change]) => ({ what, start, how, ...change })),
  ),
)('$what of all that match is not paid for where $how since', async ({ start, matching }) => {
  const user = await product.user();
  await user.connect('hunter_io', 'sandbox');
  await user.connect('searchbug', 'sandbox');
  const list_id = await buildListOf(
    product.db,
    user.id,
    ['a', 'b', 'c'].map((name, at) => ({
      website: `https://${name}-others.example/`,
      phone: `+1 512-555-010${at}`,
      email: name === 'c' ? 'c@others.example' : null,
    })),
  );
  const digestNow = async () => (await user.call(countLeadsEndpoint, { matching }, { listId: list_id })).digest;
  const digest = await digestNow();
  const mail = (position: number, email: string | null) =>
    product.db.updateTable('leads').set({ email }).where('list_id', '=', list_id).where('position', '=', position);
  await mail(2, null).execute();
  await mail(0, 'a@others.example').execute();
  await expect(start(user, { list_id, matching, digest })).rejects.toMatchObject({
    code: 'CONFLICT',
    message: 'Your selection has changed: it fits other leads now than before. Select them again.',
  });
  expect(await readRuns(product.db, user.id)).toEqual([]);
  expect((await readList(product.db, list_id)).status).toBe('completed');
  await start(user, { list_id, matching, digest: await digestNow() });
  expect((await readCalls(product.db, user.id)).length).toBeGreaterThan(0);
});

test('all leads of a list are those that were counted', async () => {
  const user = await product.user();
  await user.connect('searchbug', 'sandbox');
  const list_id = await buildListOf(product.db, user.id, [{ phone: '+1 512-555-0110' }]);
  const { digest } = await user.call(countLeadsEndpoint, { matching: {} }, { listId: list_id });
  const come = { list_id, position: 1, business_name: 'Came since', phone: '+1 512-555-0111' };
  await product.db.insertInto('leads').values(come).execute();
  const check = user.call(checkComplianceEndpoint, { list_id, matching: {}, digest });
  await expect(check).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(await readRuns(product.db, user.id)).toEqual([]);
});
