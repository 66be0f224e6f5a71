import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { cuttableDatabase } from '#test/databases/cuttable-database.ts';
import { buildListOf, readCalls, readLeads, readRuns } from '#test/lists.ts';
import { enrich, setUpLifecycle, sites } from '#test/many/run-lifecycle.ts';

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
