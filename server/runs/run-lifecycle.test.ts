import { expect, test, vi } from 'vitest';
import { checkComplianceEndpoint, estimateComplianceEndpoint } from '#contract/work/compliance.ts';
import { enrichEmailsEndpoint } from '#contract/work/enrichment.ts';
import { searchLeadsEndpoint } from '#contract/work/search/search.ts';
import { buildList, buildListOf, readList, readRuns } from '#test/lists.ts';
import { enrich, setUpLifecycle, sites } from '#test/many/run-lifecycle.ts';

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
