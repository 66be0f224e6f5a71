import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, expect, test, vi } from 'vitest';
import { checkComplianceEndpoint } from '#contract/work/compliance.ts';
import { enrichEmailsEndpoint } from '#contract/work/enrichment.ts';
import { lookUpPlaceEndpoint, searchLeadsEndpoint } from '#contract/work/search/search.ts';
import { API_LIMITS } from '#server/limits/api-limits.ts';
import { cuttableDatabase } from '#test/databases/cuttable-database.ts';
import { buildListOf, readCalls, readRuns } from '#test/lists.ts';
import { type Process, type Product, startProduct, type TestUser } from '#test/product.ts';

const SEARCH = { query: 'plumber', location: 'Springfield, IL', radius: 40_000, maxResults: 20 };
const WEBSITES = [{ website: 'https://toend0.example/' }, { website: 'https://toend1.example/' }];

/** Serves requests and works on nothing. */
let product: Product;
let user: TestUser;
let listId: string;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  user = await product.user();
  for (const provider of ['google_places', 'hunter_io', 'searchbug'] as const)
    await user.connect(provider, 'sandbox-to-end');
  listId = await buildListOf(product.db, user.id, WEBSITES);
});

/** A run of the user's, as it may have become of one that a request has begun. */
async function runOf(overrides: Record<string, unknown> = {}): Promise<string> {
  const { id } = await product.db
    .insertInto('app.runs')
    .values({
      user_id: user.id,
      list_id: listId,
      list_name: 'Plumbers',
      kind: 'enrichment',
      input: '{}',
      estimate_micros: 0,
      bound_micros: 0,
      sandbox: true,
      state: 'completed',
      ...overrides,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
const waitFor = (run: string, list_id = listId) =>
  user.call(enrichEmailsEndpoint, { list_id, steps: ['hunter'] }, { run });

async function post(process: Process, path: string, body: object): Promise<Response> {
  const headers = { authorization: await user.authorization(), 'content-type': 'application/json' };
  return process.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** How many connections last read one run by its id, after `since`. */
async function countReadsOfARun(since: Date): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and query_start > ${since}
      and query like 'select * from "app"."runs" where "id" = %'`.execute(product.db);
  return rows.length;
}

test('anyone who waits in a process that stops is sent on, and hears from the next how the run ended', async () => {
  const list_id = await buildListOf(product.db, user.id, WEBSITES);
  const stopping = await product.process({ worker: false });
  const waiting = post(stopping, `${enrichEmailsEndpoint.path}?kept=a%26b`, { list_id, steps: ['hunter'] });
  const begun = async () => (await readRuns(product.db, user.id)).filter((run) => run.list_id === list_id);
  await vi.waitFor(async () => expect(await begun()).toHaveLength(1), 5_000);
  stopping.sendOn();
  const [run] = await begun();
  const sentOn = await waiting;
  expect([sentOn.status, sentOn.headers.get('Location')]).toEqual([307, `?kept=a%26b&run=${run?.id}`]);
  expect([sentOn.headers.get('Cache-Control'), sentOn.headers.get('Connection')]).toEqual(['no-store', 'close']);
  expect(await sentOn.json()).toMatchObject({ success: false, error: 'UNAVAILABLE', requestId: expect.any(String) });

  // One that comes as late as this is sent on too.
  const late = await post(stopping, enrichEmailsEndpoint.path, { list_id, steps: ['hunter'] });
  expect([late.status, late.headers.get('Location')]).toEqual([307, `?run=${run?.id}`]);

  const next = await product.process();
  const path = `${enrichEmailsEndpoint.path}${sentOn.headers.get('Location')}`;
  const answered = { total_domains_processed: 2, cost: expect.any(Number) };
  // The limits that it has passed are not asked again.
  await product.db.updateTable('app.rate_limits').set({ hits: API_LIMITS.paid.hits }).execute();
  for (const again of [await post(next, path, { list_id }), await post(next, path, { list_id })])
    expect([again.status, await again.json()]).toEqual([
      200,
      { success: true, data: expect.objectContaining(answered) },
    ]);
  expect(await begun()).toMatchObject([{ state: 'completed' }]);
  expect(await readCalls(product.db, user.id)).toHaveLength(2);
  await next.stop();
});

test('anyone who waits in a process that stops is sent on while the database cannot be reached, too', async () => {
  await product.db.deleteFrom('app.rate_limits').execute();
  const list_id = await buildListOf(product.db, user.id, WEBSITES);
  const way = await cuttableDatabase(product.url);
  const stopping = await product.process({ worker: false, url: way.url });
  const since = new Date();
  const waiting = post(stopping, enrichEmailsEndpoint.path, { list_id, steps: ['hunter'] });
  const begun = async () => (await readRuns(product.db, user.id)).find((run) => run.list_id === list_id);
  // Only then does the process itself know that the run was committed.
  await expect.poll(() => countReadsOfARun(since)).toBeGreaterThan(0);
  await way.cut();
  stopping.sendOn();
  expect([(await waiting).status, (await waiting).headers.get('Location')]).toEqual([
    307,
    `?run=${(await begun())?.id}`,
  ]);
  await way.restore();
  await stopping.stop();
  await way.close();
});

test('what a run has come to is answered, whatever it is', async () => {
  const failure = { state: 'failed', error_code: 'OUT_OF_CREDIT', error_message: 'Your account is empty.' };
  await expect(waitFor(await runOf(failure))).rejects.toMatchObject({ status: 402, message: 'Your account is empty.' });
  await expect(waitFor(await runOf({ state: 'cancelled' }))).rejects.toMatchObject({
    code: 'RUN_CANCELLED',
    message: 'The run was canceled. What was found so far is kept.',
  });
  const gone = await buildListOf(product.db, user.id, WEBSITES);
  for (const state of ['completed', 'cancelled']) {
    const run = await runOf({ list_id: gone, state });
    await product.db.updateTable('app.runs').set({ list_id: null }).where('id', '=', run).execute();
    await expect(waitFor(run, gone)).rejects.toMatchObject({
      code: 'RUN_CANCELLED',
      message: 'The list was deleted, so the work on it has stopped.',
    });
  }
});

test('searches, checks and look-ups are waited for as well', async () => {
  const run = await runOf({ kind: 'search', input: JSON.stringify({ of: 'another version' }) });
  const { leads } = await user.call(searchLeadsEndpoint, { ...SEARCH, list_id: listId.toUpperCase() }, { run });
  expect(leads).toHaveLength(WEBSITES.length);
  // A lead of the check has been deleted meanwhile.
  const check = { list_id: listId, lead_ids: [randomUUID()] };
  const summary = await user.call(checkComplianceEndpoint, check, { run: await runOf({ kind: 'compliance' }) });
  expect(summary).toEqual({ total: 0, safe: 0, flagged: 0, cost: 0 });
  const place = { list_id: null, kind: 'place', list_name: 'Nowhere', input: JSON.stringify({ location: 'Nowhere' }) };
  const found = user.call(lookUpPlaceEndpoint, { location: 'Nowhere' }, { run: await runOf(place) });
  await expect(found).rejects.toMatchObject({ code: 'UNKNOWN_PLACE' });
  const other = user.call(lookUpPlaceEndpoint, { location: 'Elsewhere' }, { run: await runOf(place) });
  await expect(other).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

test('only a run of one’s own about the same is waited for, and nothing is begun', async () => {
  const stranger = await product.user('stranger');
  const theirs = await buildListOf(product.db, stranger.id, WEBSITES);
  const before = await readRuns(product.db, user.id);
  const refused = [
    ['', 'BAD_REQUEST'],
    ['run', 'BAD_REQUEST'],
    [`${randomUUID()}'`, 'BAD_REQUEST'],
    ['\u0000', 'VALIDATION_FAILED'],
    [randomUUID(), 'NOT_FOUND'],
    [await runOf({ user_id: stranger.id, list_id: theirs }), 'NOT_FOUND'],
    [await runOf({ user_id: stranger.id }), 'NOT_FOUND'],
  ] as const;
  for (const [run, code] of refused) await expect(waitFor(run), run).rejects.toMatchObject({ code });
  const own = await runOf();
  for (const list_id of [theirs, randomUUID(), 'list'])
    await expect(waitFor(own, list_id)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  const search = user.call(searchLeadsEndpoint, { ...SEARCH, list_id: listId }, { run: own });
  await expect(search).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: 'The run in the address belongs to a different request. Send the request without it to start one.',
  });
  expect(await readRuns(product.db, user.id)).toHaveLength(before.length + 1);
});
