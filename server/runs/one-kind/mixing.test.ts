import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, expect, test, vi } from 'vitest';
import { checkComplianceEndpoint } from '#contract/work/compliance.ts';
import { enrichEmailsEndpoint } from '#contract/work/enrichment.ts';
import { duplicateListEndpoint } from '#contract/work/lists.ts';
import { lookUpPlaceEndpoint, searchLeadsEndpoint } from '#contract/work/search/search.ts';
import { eventually } from '#test/eventually.ts';
import { buildList, buildListOf, readCalls, readLeads, readList, readRuns } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

/** Keys of each kind, with four last characters of their own, by which the meter tells real keys apart. */
function keysOf(sandbox: boolean) {
  const own = randomBytes(2).toString('hex');
  if (sandbox) return { google_places: `sandbox${own}`, hunter_io: `sandbox${own}`, searchbug: `sandbox${own}` };
  return { google_places: `real-${own}`, hunter_io: `real-${own}`, searchbug: `1234567:real-${own}` };
}
const KINDS = ['search', 'enrich', 'check'] as const;
const PROVIDERS = { search: 'google_places', enrich: 'hunter_io', check: 'searchbug' } as const;

let product: Product;
beforeAll(async () => {
  // Each test brings the workers it needs, so that work waits until they come.
  product = await startProduct({ worker: false });
});

const input = { query: 'plumbers', location: 'Springfield, IL', radius: 8_000, maxResults: 20 };
const press = (user: TestUser, kind: (typeof KINDS)[number], list_id: string): Promise<unknown> => {
  if (kind === 'search') return user.call(searchLeadsEndpoint, { ...input, list_id });
  if (kind === 'enrich') return user.call(enrichEmailsEndpoint, { list_id, steps: ['hunter'] });
  return user.call(checkComplianceEndpoint, { list_id });
};
/** How it is refused; undefined when it is not. */
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: { code?: string }) => error.code,
  );
const ended = (work: Promise<unknown>) => work.catch(() => undefined);
/** What a key was used for at the providers of its kind. */
const used = (key: string, sandbox: boolean) =>
  (sandbox ? product.sandbox : product.real).meter.rows().filter((row) => row.key.endsWith(key.slice(-4)));
const runsAre = (user: TestUser, count: number) =>
  vi.waitFor(async () => expect(await readRuns(product.db, user.id)).toHaveLength(count), 5_000);

/** Nothing of the other kind was called, stored or shown. */
async function isOfOneKind(user: TestUser, listId: string, sandbox: boolean): Promise<void> {
  const calls = await readCalls(product.db, user.id);
  expect(calls.filter((call) => call.sandbox !== sandbox)).toEqual([]);
  expect((await readRuns(product.db, user.id)).filter((run) => run.list_id && run.sandbox !== sandbox)).toEqual([]);
  expect((await readList(product.db, listId)).sandbox).toBe(sandbox);
}

const orders = [true, false].flatMap((sandbox) =>
  KINDS.slice(1).map((kind) => ({
    sandbox,
    kind,
    first: sandbox ? 'sandbox' : 'real',
    other: sandbox ? 'real' : 'sandbox',
  })),
);

test.each(orders)('behind an open $first search, “$kind” with a $other key is refused', async ({ sandbox, kind }) => {
  const user = await product.user();
  const [mine, others] = [keysOf(sandbox), keysOf(!sandbox)];
  await user.connect('google_places', mine.google_places);
  await user.connect(PROVIDERS[kind], others[PROVIDERS[kind]]);
  const list_id = await buildList(product.db, user.id);
  const searching = press(user, 'search', list_id);
  await runsAre(user, 1);
  expect((await readList(product.db, list_id)).sandbox).toBe(sandbox);
  expect(await refusal(press(user, kind, list_id))).toBe('SANDBOX_MISMATCH');
  expect((await readList(product.db, list_id)).status).toBe('processing');
  const workers = [await product.process(), await product.process()];
  await searching;
  expect(await refusal(press(user, kind, list_id))).toBe('SANDBOX_MISMATCH');
  await isOfOneKind(user, list_id, sandbox);
  expect(used(others[PROVIDERS[kind]], !sandbox)).toEqual([]);
  // With a key of its own kind it works, and is paid at the providers of that kind.
  await user.connect(PROVIDERS[kind], mine[PROVIDERS[kind]]);
  await press(user, kind, list_id);
  await isOfOneKind(user, list_id, sandbox);
  await Promise.all(workers.map((worker) => worker.stop()));
});

test.each([
  ['fails', 'sandbox-bad-key'],
  ['is cancelled', 'sandbox'],
  ['finds nothing', 'sandbox'],
])('a list whose first search %s stays what it is, also through Retry', async (how, key) => {
  const user = await product.user();
  await user.connect('google_places', key);
  const list_id = await buildList(product.db, user.id);
  const query = how === 'finds nothing' ? 'nothing' : 'plumbers';
  const searching = ended(user.call(searchLeadsEndpoint, { ...input, query, list_id }));
  await runsAre(user, 1);
  if (how === 'is cancelled')
    await product.db
      .updateTable('app.runs')
      .set({ cancel_requested_at: new Date() })
      .where('list_id', '=', list_id)
      .execute();
  const worker = await product.process();
  await searching;
  await product.db.deleteFrom('leads').where('list_id', '=', list_id).execute();
  await product.db.updateTable('lists').set({ lead_count: 0 }).where('id', '=', list_id).execute();
  await user.connect('google_places', keysOf(false).google_places);
  expect(await refusal(press(user, 'search', list_id))).toBe('SANDBOX_MISMATCH');
  await isOfOneKind(user, list_id, true);
  await worker.stop();
});

test('a refused start decides nothing, and a duplicate is of the kind of its original', async () => {
  const user = await product.user();
  const list_id = await buildList(product.db, user.id);
  expect(await refusal(press(user, 'search', list_id))).toBe('MISSING_API_KEY');
  expect((await readList(product.db, list_id)).sandbox).toBeNull();
  const sites = await buildListOf(product.db, user.id, [{ website: 'https://one-kind.example/' }]);
  const { list_id: copy } = await user.call(duplicateListEndpoint, { list_id: sites });
  await user.connect('hunter_io', keysOf(false).hunter_io);
  expect(await refusal(press(user, 'enrich', copy))).toBe('SANDBOX_MISMATCH');
});

test.each(orders)(
  'a $first key that is exchanged for a $other one while “$kind” is queued pays nothing',
  async (order) => {
    const { sandbox, kind } = order;
    const user = await product.user();
    const [mine, others] = [keysOf(sandbox), keysOf(!sandbox)];
    const provider = PROVIDERS[kind];
    await user.connect(provider, mine[provider]);
    const lead = { website: 'https://queued.example/', phone: '+1 512-555-0101' };
    const listId = await buildListOf(product.db, user.id, [lead], { sandbox });
    const pressed = refusal(press(user, kind, listId));
    await runsAre(user, 1);
    await user.connect(provider, others[provider]);
    const worker = await product.process();
    expect(await pressed).toBe('SANDBOX_MISMATCH');
    expect(await readCalls(product.db, user.id)).toEqual([]);
    await isOfOneKind(user, listId, sandbox);
    await worker.stop();
  },
);

test('a key that is exchanged while its run works stops that run before its next call', async () => {
  const user = await product.user();
  await user.connect('hunter_io', 'sandbox-exchanged-slow');
  const leads = Array.from({ length: 60 }, (_, index) => ({ website: `https://exchanged${index}.example/` }));
  const listId = await buildListOf(product.db, user.id, leads);
  const workers = [await product.process(), await product.process()];
  const pressed = user.call(enrichEmailsEndpoint, { list_id: listId, steps: ['hunter'] }).then(
    () => undefined,
    (error: Error & { code?: string }) => ({ code: error.code, message: error.message }),
  );
  await eventually(async () => expect((await readCalls(product.db, user.id)).some((call) => call.sent_at)).toBe(true));
  const other = keysOf(false).hunter_io;
  await user.connect('hunter_io', other);
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(product.db);
  const exchangedAt = rows[0]?.now.getTime();
  expect(await pressed).toMatchObject({
    code: 'SANDBOX_MISMATCH',
    message: expect.stringContaining('This list was started with a sandbox key'),
  });
  const calls = await readCalls(product.db, user.id);
  expect(Math.max(...calls.map((call) => call.sent_at?.getTime() ?? 0))).toBeLessThanOrEqual(exchangedAt ?? 0);
  expect(used(other, false)).toEqual([]);
  await isOfOneKind(user, listId, true);
  await Promise.all(workers.map((worker) => worker.stop()));
});

test('a remembered answer serves its own kind only', async () => {
  const user = await product.user();
  const worker = await product.process();
  const site = [{ website: 'https://remembered-kind.example/', phone: '+1 512-555-0102' }];
  for (const sandbox of [true, false]) {
    const keys = keysOf(sandbox);
    for (const provider of Object.values(PROVIDERS)) await user.connect(provider, keys[provider]);
    const listId = await buildListOf(product.db, user.id, site, { sandbox });
    await press(user, 'enrich', listId);
    await press(user, 'check', listId);
    await user.call(lookUpPlaceEndpoint, { location: 'Springfield, IL' });
    expect((await readList(product.db, listId)).sandbox).toBe(sandbox);
  }
  const calls = await readCalls(product.db, user.id);
  expect(calls.filter((call) => call.sandbox)).toHaveLength(3);
  expect(calls.filter((call) => !call.sandbox)).toHaveLength(3);
  expect(await product.db.selectFrom('app.recalls').selectAll().where('user_id', '=', user.id).execute()).toEqual([]);
  expect((await readLeads(product.db, (await readRuns(product.db, user.id))[0]?.list_id ?? '')).length).toBe(1);
  await worker.stop();
});
