import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { settleCallsEndpoint } from '#contract/money/paid-calls.ts';
import { checkComplianceEndpoint, estimateComplianceEndpoint } from '#contract/work/compliance.ts';
import { enrichEmailsEndpoint } from '#contract/work/enrichment.ts';
import { searchLeadsEndpoint } from '#contract/work/search/search.ts';
import { eventually } from '#test/eventually.ts';
import { buildList, buildListOf, readCalls, readList, readRuns } from '#test/lists.ts';
import { enrich, setUpLifecycle, sites } from '#test/many/run-lifecycle.ts';
import { awaitRun } from './await-run.ts';

const life = setUpLifecycle();
const { userWithKeys, asked } = life;

test('a run waits for a worker, and a second request joins it', async () => {
  const { user, key } = await userWithKeys();
  const listId = await buildListOf(life.product.db, user.id, sites(3));
  const waiting = [enrich(user, listId), enrich(user, listId)];
  const isQueued = async () => expect(await readRuns(life.product.db, user.id)).toMatchObject([{ state: 'queued' }]);
  await vi.waitFor(isQueued, 5_000);
  expect((await readList(life.product.db, listId)).status).toBe('processing');
  const worker = await life.product.process();
  const [one, two] = await Promise.all(waiting);
  expect(one).toEqual(two);
  expect([...asked(key).values()]).toEqual([1, 1, 1]);
  await worker.stop();
});

test('work that queues behind a search may cost what the leads to come will need', async () => {
  const { user } = await userWithKeys();
  const list_id = await buildList(life.product.db, user.id);
  const search = { query: 'plumbers', location: 'Springfield, IL', radius: 8_000, maxResults: 5, list_id };
  const found = user.call(searchLeadsEndpoint, search);
  await vi.waitFor(async () => expect(await readRuns(life.product.db, user.id)).toHaveLength(1), 5_000);
  expect((await user.call(estimateComplianceEndpoint, { list_id })).boundMicros).toBe(5 * 20_000);
  const behind = [
    user.call(enrichEmailsEndpoint, { list_id, steps: ['hunter'] }),
    user.call(checkComplianceEndpoint, { list_id }),
  ];
  await vi.waitFor(async () => expect(await readRuns(life.product.db, user.id)).toHaveLength(3), 5_000);
  const worker = await life.product.process();
  await Promise.all([found, ...behind]);
  const runs = await readRuns(life.product.db, user.id);
  expect(runs.map((run) => run.state)).toEqual(['completed', 'completed', 'completed']);
  expect(runs.slice(1).map((run) => run.bound_micros)).toEqual(expect.arrayContaining([5 * 50_000, 5 * 20_000]));
  await worker.stop();
});

test('what a dead worker had asked of a provider that charges again is uncertain, and not repeated until it is settled', async () => {
  const { user, key } = await userWithKeys('-slow');
  const listId = await buildListOf(life.product.db, user.id, sites(20));
  const first = await life.product.process();
  const answer = user.call(checkComplianceEndpoint, { list_id: listId });
  const billed = () => life.product.sandbox.meter.rows().find((row) => row.provider === 'searchbug' && row.key === key);
  await vi.waitFor(async () => {
    const sent = (await readCalls(life.product.db, user.id)).filter((call) => call.state === 'sent');
    expect(sent).toHaveLength(20);
  }, 10_000);
  await first.crash();
  await expect.poll(() => billed()?.billedUnits).toBe(20);
  // Its lease need not be waited for once more.
  await life.product.db
    .updateTable('app.runs')
    .set({ lease_expires_at: new Date() })
    .where('list_id', '=', listId)
    .execute();
  const second = await life.product.process();
  expect(await answer).toEqual({ total: 0, safe: 0, flagged: 0, cost: 0.4 });
  const calls = await readCalls(life.product.db, user.id);
  expect(calls.every((call) => call.state === 'uncertain' && call.cost_micros === 20_000 && call.attempts === 1)).toBe(
    true,
  );
  expect(await readList(life.product.db, listId)).toMatchObject({ status: 'completed', compliance_checked: false });
  await user.call(checkComplianceEndpoint, { list_id: listId });
  expect(billed()?.billedUnits).toBe(20);

  await user.call(settleCallsEndpoint, { call_ids: calls.map((call) => call.id), charged: false });
  expect(await user.call(checkComplianceEndpoint, { list_id: listId })).toMatchObject({ total: 20, cost: 0.4 });
  expect(billed()?.billedUnits).toBe(40);
  await second.stop();
}, 60_000);

test('a worker that stops finishes what it has sent and gives the run to another at once', async () => {
  const { user, key } = await userWithKeys('-slow');
  const listId = await buildListOf(life.product.db, user.id, sites(60));
  const first = await life.product.process();
  const answer = enrich(user, listId);
  await vi.waitFor(() => expect(asked(key).size).toBeGreaterThanOrEqual(5), 10_000);
  await first.stop();
  expect(await readRuns(life.product.db, user.id)).toMatchObject([{ state: 'queued', lease_owner: null }]);
  const left = await readCalls(life.product.db, user.id);
  expect(left.filter((call) => call.state === 'sent')).toEqual([]);
  const stoppedAt = Date.now();
  const second = await life.product.process();
  await vi.waitFor(async () => expect((await readRuns(life.product.db, user.id))[0]?.state).toBe('running'), 5_000);
  expect(Date.now() - stoppedAt).toBeLessThan(3_000);
  expect((await answer).total_domains_processed).toBe(60);
  expect([...asked(key).values()].every((calls) => calls === 1)).toBe(true);
  await second.stop();
}, 60_000);

test('a run has one worker, however many hear of it', async () => {
  const { user, key } = await userWithKeys();
  const workers = await Promise.all([life.product.process(), life.product.process(), life.product.process()]);
  const lists = await Promise.all(
    [1, 2, 3, 4].map(() => buildListOf(life.product.db, user.id, sites(8), { sandbox: null })),
  );
  await Promise.all(lists.map((listId) => enrich(user, listId)));
  expect([...asked(key).values()].every((calls) => calls === 1)).toBe(true);
  expect((await readRuns(life.product.db, user.id)).map((run) => run.state)).toEqual(Array(4).fill('completed'));
  await Promise.all(workers.map((worker) => worker.stop()));
}, 30_000);

test('another kind of run on the same list waits for the first, and then runs', async () => {
  const { user } = await userWithKeys('-slow');
  const worker = await life.product.process();
  const listId = await buildListOf(life.product.db, user.id, sites(4));
  const enriching = enrich(user, listId);
  await eventually(async () => expect(await readRuns(life.product.db, user.id)).toMatchObject([{ state: 'running' }]));
  const checking = user.call(checkComplianceEndpoint, { list_id: listId });
  await vi.waitFor(async () => expect(await readRuns(life.product.db, user.id)).toHaveLength(2), 5_000);
  await enriching;
  const status = (await readList(life.product.db, listId)).status;
  await checking;
  const [first, second] = await readRuns(life.product.db, user.id);
  expect(status).toBe('processing');
  expect(second?.started_at?.getTime()).toBeGreaterThanOrEqual(first?.finished_at?.getTime() ?? Infinity);
  expect((await readList(life.product.db, listId)).status).toBe('completed');
  await worker.stop();
}, 30_000);

test('the caller who goes away changes nothing', async () => {
  const { user } = await userWithKeys('-slow');
  const worker = await life.product.process();
  const listId = await buildList(life.product.db, user.id);
  const gone = new AbortController();
  const search = user.call(searchLeadsEndpoint, {
    query: 'plumber',
    location: 'Springfield, IL',
    list_id: listId,
    radius: 40_000,
    maxResults: 20,
  });
  await vi.waitFor(async () => expect(await readRuns(life.product.db, user.id)).toHaveLength(1), 5_000);
  const [run] = await readRuns(life.product.db, user.id);
  const waiting = awaitRun({ deps: life.product.deps, signal: gone.signal }, run?.id ?? '');
  gone.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  expect((await search).leads?.length).toBeGreaterThan(0);
  await worker.stop();
}, 30_000);

test('connections that break in the middle of a run lose nothing', async () => {
  const { user, key } = await userWithKeys('-slow');
  const worker = await life.product.process();
  const listId = await buildListOf(life.product.db, user.id, sites(12));
  const answer = enrich(user, listId).catch((error: unknown) => error);
  await vi.waitFor(() => expect(asked(key).size).toBeGreaterThanOrEqual(10), 10_000);
  const admin = new pg.Client({ connectionString: life.product.url });
  await admin.connect();
  await admin.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await admin.end();
  await answer;
  await vi.waitFor(async () => expect((await readRuns(life.product.db, user.id))[0]?.state).toBe('completed'), 25_000);
  const calls = await readCalls(life.product.db, user.id);
  expect(calls.filter((call) => call.state === 'answered')).toHaveLength(12);
  expect(calls.reduce((sum, call) => sum + call.cost_micros, 0)).toBe(
    life.product.sandbox.meter.rows().find((row) => row.provider === 'hunter' && row.key === key)?.micros,
  );
  await worker.stop();
}, 60_000);

test('the watchdog fails a list that waits for a run that never came, and starts a run that no one took', async () => {
  const { user } = await userWithKeys();
  const old = new Date(Date.now() - 61_000);
  const never = await buildList(life.product.db, user.id, { created_at: old, updated_at: old });
  const fresh = await buildList(life.product.db, user.id);
  const listId = await buildListOf(life.product.db, user.id, sites(1), { status: 'processing' });
  await life.product.db
    .insertInto('app.runs')
    .values({
      user_id: user.id,
      list_id: listId,
      list_name: 'Forgotten',
      kind: 'enrichment',
      input: '{}',
      sandbox: true,
      created_at: old,
      bound_micros: 50_000,
    })
    .execute();
  const worker = await life.product.process();
  await vi.waitFor(async () => {
    expect((await readList(life.product.db, never)).status).toBe('failed');
    expect((await readList(life.product.db, listId)).status).toBe('completed');
  }, 8_000);
  expect((await readList(life.product.db, fresh)).status).toBe('processing');
  await worker.stop();
}, 20_000);

test('a key that is gone or changed when the run begins fails it with what to do', async () => {
  const { user } = await userWithKeys();
  const listId = await buildListOf(life.product.db, user.id, sites(1));
  const refused = expect(enrich(user, listId)).rejects.toMatchObject({ code: 'MISSING_API_KEY' });
  await vi.waitFor(async () => expect(await readRuns(life.product.db, user.id)).toHaveLength(1), 5_000);
  await life.product.db.deleteFrom('app.provider_keys').where('user_id', '=', user.id).execute();
  const worker = await life.product.process();
  await refused;
  await worker.stop();
}, 20_000);
