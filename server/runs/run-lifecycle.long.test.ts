import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { settleCallsEndpoint } from '#contract/money/paid-calls.ts';
import { checkComplianceEndpoint } from '#contract/work/compliance.ts';
import { searchLeadsEndpoint } from '#contract/work/search/search.ts';
import { cuttableDatabase } from '#test/databases/cuttable-database.ts';
import { eventually } from '#test/eventually.ts';
import { buildList, buildListOf, readCalls, readLeads, readList, readRuns } from '#test/lists.ts';
import { enrich, setUpLifecycle, sites } from '#test/many/run-lifecycle.ts';
import { awaitRun } from './await-run.ts';

const life = setUpLifecycle();
const { userWithKeys, asked } = life;

test('a worker that dies is replaced within 15 s, and nothing is paid twice', async () => {
  const { user, key } = await userWithKeys('-slow');
  const listId = await buildListOf(life.product.db, user.id, sites(30));
  const first = await life.product.process();
  const answer = enrich(user, listId);
  await vi.waitFor(() => expect(asked(key).size).toBeGreaterThanOrEqual(15), 10_000);
  await first.crash();
  const crashedAt = Date.now();
  const second = await life.product.process();
  const data = await answer;
  expect(data.total_domains_processed).toBe(30);
  const [run] = await readRuns(life.product.db, user.id);
  expect(run?.totals).toMatchObject({ domains: 30, domainsDone: 30, domainsKnown: 0, emailsAdded: data.emails_added });
  const calls = await readCalls(life.product.db, user.id);
  expect(calls).toHaveLength(30);
  expect(calls.every((call) => call.state === 'answered')).toBe(true);
  const resumed = calls.filter((call) => call.attempts > 1).map((call) => call.sent_at?.getTime() ?? 0);
  expect(resumed.length).toBeGreaterThan(0);
  expect(Math.min(...resumed) - crashedAt).toBeLessThan(15_000);
  const usage = life.product.sandbox.meter.rows().find((row) => row.provider === 'hunter' && row.key === key);
  expect(calls.reduce((sum, call) => sum + call.cost_micros, 0)).toBe(usage?.micros);
  expect(data.emails_added).toBe((await readLeads(life.product.db, listId)).filter((lead) => lead.email).length);
  await second.stop();
}, 60_000);

test('a database that is gone for five seconds loses nothing that was paid for', async () => {
  const { user, key } = await userWithKeys('-slow');
  const database = await cuttableDatabase(life.product.url);
  const worker = await life.product.process({ url: database.url });
  const listId = await buildListOf(life.product.db, user.id, sites(12));
  const answer = enrich(user, listId);
  await vi.waitFor(async () => {
    expect((await readCalls(life.product.db, user.id)).filter((call) => call.state === 'sent').length).toBeGreaterThan(
      9,
    );
  }, 10_000);
  await database.cut();
  await sleep(5_000);
  expect(asked(key).size).toBeGreaterThan(9);
  await database.restore();
  expect((await answer).total_domains_processed).toBe(12);
  const calls = await readCalls(life.product.db, user.id);
  expect(calls.filter((call) => call.state === 'answered')).toHaveLength(12);
  expect([...asked(key).values()].filter((times) => times > 1)).toEqual([]);
  await worker.stop();
  await database.close();
}, 60_000);

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
  const caller = { deps: life.product.deps, signal: gone.signal };
  const waiting = awaitRun(caller, async () => run?.id ?? '', { read: async () => undefined });
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
