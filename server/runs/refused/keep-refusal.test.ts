import { beforeAll, expect, test } from 'vitest';
import { setBudgetsEndpoint } from '#contract/money/budgets.ts';
import { getUsageEndpoint } from '#contract/money/usage.ts';
import { checkComplianceEndpoint } from '#contract/work/compliance.ts';
import { enrichEmailsEndpoint } from '#contract/work/enrichment.ts';
import { listRunsEndpoint, RUN_HEADER } from '#contract/work/runs.ts';
import { searchLeadsEndpoint } from '#contract/work/search/search.ts';
import { finishRun } from '#server/runs/finish-run.ts';
import { startRun } from '#server/runs/start/start-run.ts';
import { kinds } from '#server/wiring/run-kinds.ts';
import { buildList, buildListOf, readCalls, readLeads, readList } from '#test/lists.ts';
import { type Process, type Product, startProduct, type TestUser } from '#test/product.ts';

const SEARCH = { query: 'plumber', location: 'Springfield, IL', radius: 40_000, maxResults: 20 };
const PHONES = [{ phone: '+1 512-555-0101' }, { phone: '+1 512-555-0102' }];

let product: Product;
let user: TestUser;
beforeAll(async () => {
  product = await startProduct();
  user = await product.user();
});

/** Posts work: its status, its body, and the run that the answer names. */
async function post(who: TestUser, { path }: { path: string }, body: object, process: Process = product) {
  const headers = { authorization: await who.authorization(), 'content-type': 'application/json' };
  const response = await process.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, body: await response.json(), run: response.headers.get(RUN_HEADER) };
}
const runsOf = async (list_id: string) => (await user.call(listRunsEndpoint, undefined, { list_id })).runs;

test('refused work is kept with its choice of leads and its limit, and is no run that cost or found anything', async () => {
  const list_id = await buildListOf(product.db, user.id, PHONES);
  const lead_ids = [(await readLeads(product.db, list_id))[1]?.id ?? ''];
  const refusal = await post(user, checkComplianceEndpoint, { list_id, lead_ids, max_cost: 0.01 });
  expect(refusal).toMatchObject({ status: 400, body: { error: 'MISSING_API_KEY' } });
  expect(await runsOf(list_id)).toMatchObject([
    {
      id: refusal.run,
      kind: 'compliance',
      state: 'failed',
      leadIds: lead_ids,
      startedAt: null,
      costMicros: 0,
      errorCode: 'MISSING_API_KEY',
      estimateMicros: 20_000,
      boundMicros: 10_000,
      finishedAt: expect.any(String),
    },
  ]);
  expect((await readList(product.db, list_id)).status).toBe('failed');
  expect(await readCalls(product.db, user.id)).toEqual([]);
  const today = new Date().toISOString().slice(0, 10);
  expect((await user.call(getUsageEndpoint, undefined, { from: today, to: today })).phones.runs).toBe(0);
});

test('a refused search keeps what it was to search for, to the meter', async () => {
  const list_id = await buildList(product.db, user.id, { sandbox: true });
  const { run } = await post(user, searchLeadsEndpoint, { list_id, ...SEARCH, onlyNew: true });
  expect(await runsOf(list_id)).toMatchObject([{ id: run, searchFor: { ...SEARCH, onlyNew: true } }]);
  expect((await readList(product.db, list_id)).status).toBe('failed');
});

test('of a list that no run has worked on, it is kept too, and decides nothing', async () => {
  const list_id = await buildList(product.db, user.id);
  const { status, run } = await post(user, searchLeadsEndpoint, { list_id, ...SEARCH, max_cost: 0.04 });
  expect(status).toBe(400);
  const kept = { id: run, kind: 'search', state: 'failed', errorCode: 'MISSING_API_KEY', boundMicros: 40_000 };
  expect(await runsOf(list_id)).toMatchObject([{ ...kept, searchFor: SEARCH, errorMessage: expect.any(String) }]);
  expect(await readList(product.db, list_id)).toMatchObject({ status: 'failed', sandbox: null });
  // The next search decides, and what was refused stays as it is, also when the list has gone.
  const person = await product.user();
  const other = await buildList(product.db, person.id);
  await post(person, searchLeadsEndpoint, { list_id: other, ...SEARCH });
  await person.connect('google_places', 'sandbox-first');
  expect((await post(person, searchLeadsEndpoint, { list_id: other, ...SEARCH })).status).toBe(200);
  expect((await readList(product.db, other)).sandbox).toBe(true);
  const kinds = () =>
    product.db
      .selectFrom('app.runs')
      .select(['sandbox', 'list_id'])
      .where('user_id', '=', person.id)
      .orderBy('created_at')
      .execute();
  expect(await kinds()).toEqual([
    { sandbox: null, list_id: other },
    { sandbox: true, list_id: other },
  ]);
  await product.db.deleteFrom('lists').where('id', '=', other).execute();
  expect((await kinds()).map(({ list_id }) => list_id)).toEqual([null, null]);
});

test('a search beyond every budget keeps its list undecided, with the reason and the limit', async () => {
  const person = await product.user();
  await person.connect('google_places', 'sandbox-poor');
  await person.call(setBudgetsEndpoint, {
    limits: { run: 10_000, month: null, google_places: null, hunter_io: null, searchbug: null },
  });
  const list_id = await buildList(product.db, person.id, { status: 'processing' });
  const { run } = await post(person, searchLeadsEndpoint, { list_id, ...SEARCH, max_cost: 0.04 });
  expect((await person.call(listRunsEndpoint, undefined, { list_id })).runs).toMatchObject([
    { id: run, errorCode: 'BUDGET_EXCEEDED', boundMicros: 40_000, searchFor: SEARCH },
  ]);
  expect((await readList(product.db, list_id)).sandbox).toBeNull();
});

test('a key of the wrong kind keeps the work among the data of its list', async () => {
  const person = await product.user();
  await person.connect('searchbug', '1234567:a-real-looking-key');
  const list_id = await buildListOf(product.db, person.id, PHONES);
  const { body, run } = await post(person, checkComplianceEndpoint, { list_id });
  expect(body).toMatchObject({ error: 'SANDBOX_MISMATCH' });
  expect((await person.call(listRunsEndpoint, undefined, { list_id })).runs).toMatchObject([
    { id: run, errorCode: 'SANDBOX_MISMATCH' },
  ]);
});

test('a start that fails on our side fails the list, and Retry knows the work', async () => {
  const list_id = await buildListOf(product.db, user.id, PHONES);
  const told: string[] = [];
  const ctx = {
    deps: product.deps,
    requestId: 'r',
    log: product.deps.log,
    signal: new AbortController().signal,
    ip: '127.0.0.1',
    tellRun: (runId: string) => void told.push(runId),
    user: {
      userId: user.id,
      sessionId: '',
      email: user.email,
      role: 'user' as const,
      aal: 'aal1' as const,
      isFresh: true,
    },
  };
  const start = startRun(ctx, {
    kind: 'compliance',
    listId: list_id,
    provider: 'searchbug',
    input: { leadIds: null },
    maxCost: 0.02,
    estimateMicros: () => Promise.reject(new Error('A bug.')),
  });
  await expect(start).rejects.toMatchObject({ code: 'INTERNAL' });
  expect(await runsOf(list_id)).toMatchObject([
    {
      id: told[0],
      kind: 'compliance',
      state: 'failed',
      errorCode: 'INTERNAL',
      estimateMicros: 0,
      boundMicros: 20_000,
      errorMessage: expect.stringContaining('Nothing was charged'),
    },
  ]);
  expect((await readList(product.db, list_id)).status).toBe('failed');
});

test('a refusal behind work that goes on leaves the list to that work', async () => {
  const person = await product.user();
  const waiting = await product.process({ worker: false });
  await person.connect('hunter_io', 'sandbox-behind');
  const list_id = await buildListOf(product.db, person.id, [{ website: 'https://one.example', ...PHONES[0] }]);
  const { id } = await product.db
    .insertInto('app.runs')
    .values({
      user_id: person.id,
      list_id,
      list_name: 'Plumbers',
      kind: 'enrichment',
      input: '{}',
      sandbox: true,
      state: 'running',
      lease_expires_at: new Date(Date.now() + 60_000),
      progressed_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { status, run } = await post(person, checkComplianceEndpoint, { list_id }, waiting);
  expect([status, run]).toEqual([400, null]);
  expect((await person.call(listRunsEndpoint, undefined, { list_id })).runs).toHaveLength(1);
  await finishRun(product.deps, kinds, { id }, { end: 'cancelled' });
});

test('of each list the run that ended last is told, not the one that was asked for last', async () => {
  const person = await product.user();
  const list_id = await buildListOf(product.db, person.id, PHONES);
  const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
  const run = { user_id: person.id, list_id, list_name: 'Plumbers', input: '{}', sandbox: true };
  await product.db
    .insertInto('app.runs')
    .values([
      { ...run, kind: 'enrichment', state: 'failed', created_at: at(1), finished_at: at(9) },
      { ...run, kind: 'compliance', state: 'cancelled', created_at: at(2), finished_at: at(3) },
    ])
    .execute();
  expect((await person.call(listRunsEndpoint)).runs.map(({ kind }) => kind)).toEqual(['enrichment']);
});

test('the end of a run names the run, whether it went well or not', async () => {
  await user.connect('hunter_io', 'sandbox-named');
  const list_id = await buildListOf(product.db, user.id, [{ website: 'https://named.example' }]);
  const { body, run } = await post(user, enrichEmailsEndpoint, { list_id, steps: ['hunter'] });
  expect(body).toMatchObject({ success: true });
  expect((await runsOf(list_id)).map(({ id }) => id)).toEqual([run]);
  await user.connect('hunter_io', 'sandbox-bad-key');
  const other = await buildListOf(product.db, user.id, [{ website: 'https://refused.example' }]);
  const refusal = await post(user, enrichEmailsEndpoint, { list_id: other, steps: ['hunter'] });
  expect(refusal.body).toMatchObject({ success: false });
  expect(refusal.run).toBe((await runsOf(other))[0]?.id);
});
