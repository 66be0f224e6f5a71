import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { sweepRetentionEndpoint } from '#contract/work/retention.ts';
import { buildList, buildListOf, readList, readRuns } from '#test/lists.ts';
import { startProduct } from '#test/product.ts';
import { inBatches } from './in-batches.ts';

const product = await startProduct({ worker: false });
const { db } = product;

const DAY_MS = 86_400_000;
/** A minute more than so many days ago. */
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS - 60_000);
const active = (days: number) => ({ status: 'completed', retention_from: daysAgo(days) });
const archived = (days: number) => ({ status: 'completed', lifecycle_status: 'archived', archived_at: daysAgo(days) });
const exists = async (id: string) =>
  (await db.selectFrom('lists').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;

test.each([
  [24, 'active'],
  [25, 'active'],
  [29, 'active'],
  [30, 'archived'],
  [400, 'archived'],
])('an active list %d days old is %s afterwards', async (days, lifecycle) => {
  const ann = await product.user('ann');
  const id = await buildList(db, ann.id, active(days));
  const before = Date.now();
  expect(await ann.call(sweepRetentionEndpoint)).toEqual({ archived: lifecycle === 'archived' ? 1 : 0, deleted: 0 });
  const list = await readList(db, id);
  expect(list.lifecycle_status).toBe(lifecycle);
  if (lifecycle === 'active') expect(list.archived_at).toBeNull();
  else expect(list.archived_at?.getTime()).toBeGreaterThanOrEqual(before - 1000);
});

test.each([
  [22, true],
  [23, true],
  [29, true],
  [30, false],
])('a list archived %d days ago: still there %s', async (days, stays) => {
  const ann = await product.user('ann');
  const id = await buildListOf(db, ann.id, [{}, {}], archived(days));
  expect(await ann.call(sweepRetentionEndpoint)).toEqual({ archived: 0, deleted: stays ? 0 : 1 });
  expect(await exists(id)).toBe(stays);
  const { rows } = await sql`select from public.leads where list_id = ${id}`.execute(db);
  expect(rows).toHaveLength(stays ? 2 : 0);
});

test('the caller’s lists only, and nothing more the second time', async () => {
  const [ann, ben] = [await product.user('ann'), await product.user('ben')];
  const bens = [await buildList(db, ben.id, active(31)), await buildList(db, ben.id, archived(31))];
  await buildList(db, ann.id, active(31));
  await buildList(db, ann.id, archived(31));
  expect(await ann.call(sweepRetentionEndpoint)).toEqual({ archived: 1, deleted: 1 });
  expect(await ann.call(sweepRetentionEndpoint)).toEqual({ archived: 0, deleted: 0 });
  expect(await Promise.all(bens.map(exists))).toEqual([true, true]);
  expect((await readList(db, bens[0] ?? '')).lifecycle_status).toBe('active');
});

test('a list that is being worked on is left for the next sweep, and its run goes on', async () => {
  const ann = await product.user('ann');
  const working = [await buildList(db, ann.id, active(31)), await buildList(db, ann.id, archived(31))];
  for (const list_id of working)
    await db
      .insertInto('app.runs')
      .values({ user_id: ann.id, list_id, list_name: 'x', kind: 'enrichment', input: '{}', sandbox: true })
      .execute();
  const starting = await buildList(db, ann.id, { ...active(31), status: 'processing' });
  expect(await ann.call(sweepRetentionEndpoint)).toEqual({ archived: 0, deleted: 0 });
  expect((await readRuns(db, ann.id)).map((run) => run.cancel_requested_at)).toEqual([null, null]);

  await db.updateTable('app.runs').set({ state: 'completed' }).where('user_id', '=', ann.id).execute();
  await db.updateTable('lists').set({ status: 'completed' }).where('id', '=', starting).execute();
  expect(await ann.call(sweepRetentionEndpoint)).toEqual({ archived: 2, deleted: 1 });
});

test('a date that was mailed is kept', async () => {
  const ann = await product.user('ann');
  const id = await buildList(db, ann.id, archived(31));
  const warn = (deletesAt: Date) =>
    sql`insert into app.deletion_warnings (list_id, archived_at, deletes_at)
      select id, archived_at, ${deletesAt} from public.lists where id = ${id}
      on conflict (list_id) do update set deletes_at = excluded.deletes_at`.execute(db);
  await warn(new Date(Date.now() + DAY_MS));
  expect((await ann.call(sweepRetentionEndpoint)).deleted).toBe(0);
  await warn(new Date(Date.now() - 1000));
  expect((await ann.call(sweepRetentionEndpoint)).deleted).toBe(1);
});

test('batches go on until one is not full, or until they are to stop', async () => {
  const found = [2n, 2n, 1n, 2n];
  const once = async () => ({ numAffectedRows: found.shift() ?? 0n });
  expect(await inBatches(2, new AbortController().signal, once)).toBe(5);
  expect(found).toEqual([2n]);
  expect(await inBatches(2, AbortSignal.abort(), once)).toBe(0);
  expect(found).toEqual([2n]);
});
