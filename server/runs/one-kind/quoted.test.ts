import { randomBytes } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { checkComplianceEndpoint, estimateComplianceEndpoint } from '#contract/work/compliance.ts';
import { enrichEmailsEndpoint, estimateEnrichmentEndpoint } from '#contract/work/enrichment.ts';
import { countSearchEndpoint, lookUpPlaceEndpoint, searchLeadsEndpoint } from '#contract/work/search/search.ts';
import { countAreaEndpoint, searchAreaEndpoint } from '#contract/work/search/surveys.ts';
import { CITY } from '#test/areas.ts';
import { buildList, buildListOf, readCalls, readList, readRuns } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});

const SEARCH = { query: 'plumbers', location: 'Springfield, IL', radius: 8_000, maxResults: 20 };
const PROVIDERS = ['google_places', 'hunter_io', 'searchbug'] as const;

async function connect(user: TestUser, sandbox: boolean): Promise<void> {
  const own = `${sandbox ? 'sandbox' : 'real-'}${randomBytes(2).toString('hex')}`;
  for (const provider of PROVIDERS)
    await user.connect(provider, provider === 'searchbug' && !sandbox ? `1234567:${own}` : own);
}
const listOf = (user: TestUser) =>
  buildListOf(product.db, user.id, [{ website: 'https://quoted.example/', phone: '+1 512-555-0101' }], {
    sandbox: null,
  });
const emptyList = (user: TestUser) => buildList(product.db, user.id);

type Asked = { list_id: string; sandbox?: boolean | undefined };
type Work = {
  list: (user: TestUser) => Promise<string>;
  quote: (user: TestUser, list_id: string) => Promise<{ sandbox?: boolean | undefined }>;
  start: (user: TestUser, asked: Asked) => Promise<unknown>;
};
const WORK: Record<string, Work> = {
  'a search': {
    list: emptyList,
    quote: (user) => user.call(countSearchEndpoint, SEARCH),
    start: (user, asked) => user.call(searchLeadsEndpoint, { ...SEARCH, ...asked }),
  },
  'a search of a whole area': {
    list: emptyList,
    quote: (user) => user.call(countAreaEndpoint, CITY),
    start: (user, asked) => user.call(searchAreaEndpoint, { ...CITY, ...asked, max_cost: 1 }),
  },
  'an enrichment': {
    list: listOf,
    quote: (user, list_id) => user.call(estimateEnrichmentEndpoint, { list_id, steps: ['hunter'] }),
    start: (user, asked) => user.call(enrichEmailsEndpoint, { ...asked, steps: ['hunter'] }),
  },
  'a check': {
    list: listOf,
    quote: (user, list_id) => user.call(estimateComplianceEndpoint, { list_id }),
    start: (user, asked) => user.call(checkComplianceEndpoint, asked),
  },
};
const each = Object.entries(WORK).flatMap(([what, work]) =>
  [true, false].map((sandbox) => ({ what, ...work, sandbox, shown: sandbox ? 'sandbox' : 'real' })),
);

test.each(each)('$what that was priced in $shown money spends no other', async ({ list, quote, start, sandbox }) => {
  const user = await product.user();
  await connect(user, sandbox);
  const list_id = await list(user);
  const before = await readList(product.db, list_id);
  const quoted = (await quote(user, list_id)).sandbox;
  expect(quoted).toBe(sandbox);
  await connect(user, !sandbox);
  await expect(start(user, { list_id, sandbox: quoted })).rejects.toMatchObject({
    code: 'QUOTE_CHANGED',
    status: 409,
    message: expect.stringContaining(sandbox ? 'would now spend real money' : 'would now bring sandbox data'),
  });
  const paid = () => readCalls(product.db, user.id);
  expect(await paid()).toEqual([]);
  const after = await readList(product.db, list_id);
  expect(after.sandbox).toBeNull();
  // One that waits for its search says why, and keeps it for Retry. Any other stays as it was.
  const runs = (await readRuns(product.db, user.id)).filter((run) => run.list_id === list_id);
  expect({ status: after.status, codes: runs.map((run) => run.error_code) }).toEqual(
    before.status === 'processing'
      ? { status: 'failed', codes: ['QUOTE_CHANGED'] }
      : { status: 'completed', codes: [] },
  );
  const again = (await quote(user, list_id)).sandbox;
  expect(again).toBe(!sandbox);
  await start(user, { list_id, sandbox: again });
  expect((await readList(product.db, list_id)).sandbox).toBe(!sandbox);
});

test.each(each)('$what from a program that says nothing of money works as before', async ({ list, start, sandbox }) => {
  const user = await product.user();
  await connect(user, sandbox);
  const list_id = await list(user);
  await start(user, { list_id });
  expect((await readList(product.db, list_id)).sandbox).toBe(sandbox);
});

test('a look-up that was priced in sandbox money spends no real money', async () => {
  const user = await product.user();
  await connect(user, true);
  const { sandbox, lookUpMicros } = await user.call(countSearchEndpoint, SEARCH);
  expect({ sandbox, lookUpMicros }).toEqual({ sandbox: true, lookUpMicros: 32_000 });
  await connect(user, false);
  const looking = user.call(lookUpPlaceEndpoint, { location: SEARCH.location, sandbox });
  await expect(looking).rejects.toMatchObject({ code: 'QUOTE_CHANGED' });
  expect(await readRuns(product.db, user.id)).toEqual([]);
});
