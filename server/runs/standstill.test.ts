import type { Insertable } from 'kysely';
import { beforeAll, expect, test, vi } from 'vitest';
import { getRunEndpoint } from '#contract/work/runs.ts';
import type { DB } from '#db/types.gen.ts';
import { kinds } from '#server/wiring/run-kinds.ts';
import { buildListOf } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';
import { claimNextRun, RUNS_OF_ONE_USER, renewLease } from './run-lease.ts';
import { createRunner } from './runner.ts';
import { sweepRuns } from './watchdog.ts';

const OWNER = '00000000-0000-4000-8000-000000000001';

let product: Product;
beforeAll(async () => {
  product = await startProduct({ worker: false });
});

async function buildRun(user: TestUser, run: Partial<Insertable<DB['app.runs']>> = {}): Promise<string> {
  const listId = await buildListOf(product.db, user.id, [{ website: 'https://still.example' }]);
  const { id } = await product.db
    .insertInto('app.runs')
    .values({
      user_id: user.id,
      list_id: listId,
      list_name: 'Still',
      kind: 'enrichment',
      input: '{}',
      sandbox: true,
      bound_micros: 50_000,
      ...run,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000);
const held = (seconds: number, more: Partial<Insertable<DB['app.runs']>> = {}) => ({
  state: 'running',
  lease_owner: OWNER,
  lease_expires_at: secondsAgo(-60),
  started_at: secondsAgo(seconds),
  progressed_at: secondsAgo(seconds),
  ...more,
});
const read = (id: string) =>
  product.db.selectFrom('app.runs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

test('a run that stands still is taken from its process, and finished by the next', async () => {
  const user = await product.user();
  await user.connect('hunter_io', 'sandbox-still');
  const [stuck, moving] = [await buildRun(user, held(61)), await buildRun(user, held(59))];
  await sweepRuns(product.deps, kinds);
  expect(await renewLease(product.db, stuck, OWNER, { moved: false, wait: undefined })).toBe('lease_lost');
  expect(await renewLease(product.db, moving, OWNER, { moved: true, wait: undefined })).toBe('held');
  const worker = await product.process();
  await vi.waitFor(async () => expect(await read(stuck)).toMatchObject({ state: 'completed', stalls: 1 }), 5_000);
  await worker.stop();
});

test('a process that takes a run again which it had lost does not go on with it twice', async () => {
  const user = await product.user();
  await user.connect('hunter_io', 'sandbox-again');
  const id = await buildRun(user);
  const [owners, over] = [new Set<string>(), Promise.withResolvers<void>()];
  const execute = async ({ owner }: { owner: string }) => {
    owners.add(owner);
    await over.promise;
    return undefined;
  };
  const runner = createRunner(product.workerDeps, { ...kinds, enrichment: { ...kinds.enrichment, execute } });
  runner.wake();
  await vi.waitFor(() => expect(owners.size).toBe(1), 5_000);
  await product.db
    .updateTable('app.runs')
    .set({ lease_expires_at: secondsAgo(1) })
    .where('id', '=', id)
    .execute();
  runner.wake();
  await vi.waitFor(() => expect(owners.size).toBe(2), 5_000);
  over.resolve();
  await runner.stop();
});

test('a run that cannot be ended keeps no other from it', async () => {
  const user = await product.user();
  const asked = { cancel_requested_at: secondsAgo(1) };
  const [poisoned, other] = [await buildRun(user, asked), await buildRun(user, asked)];
  const { list_id: broken } = await read(poisoned);
  await sweepRuns(product.deps, {
    ...kinds,
    enrichment: {
      ...kinds.enrichment,
      listAfter: async (_tx, list) => (list.id === broken ? Promise.reject(new Error('It cannot.')) : {}),
    },
  });
  expect([(await read(poisoned)).state, (await read(other)).state]).toEqual(['queued', 'cancelled']);
  await sweepRuns(product.deps, kinds);
  expect((await read(poisoned)).state).toBe('cancelled');
});

test('a run that stands still again fails, and says so', async () => {
  const user = await product.user();
  const id = await buildRun(user, held(61, { stalls: 1 }));
  await sweepRuns(product.deps, kinds);
  expect(await read(id)).toMatchObject({ state: 'failed', error_code: 'UNAVAILABLE' });
  expect((await user.call(getRunEndpoint, undefined, { id })).run.errorMessage).toMatch(/stalled twice.*Retry/s);
});

test('a run that says what it waits for has more time, but not for ever', async () => {
  const user = await product.user();
  const waiting = await buildRun(user, held(120, { waiting_reason: 'limit' }));
  const forgotten = await buildRun(user, held(601, { waiting_reason: 'other_run' }));
  await sweepRuns(product.deps, kinds);
  expect((await read(waiting)).stalls).toBe(0);
  expect((await read(forgotten)).stalls).toBe(1);
});

test('a heartbeat says why a run waits, until it moves', async () => {
  const user = await product.user();
  const id = await buildRun(user, held(30));
  const until = new Date(Date.now() + 30_000);
  await renewLease(product.db, id, OWNER, { moved: false, wait: { reason: 'provider_down', until } });
  const { run } = await user.call(getRunEndpoint, undefined, { id });
  expect(run.waiting).toEqual({ reason: 'provider_down', until: until.toISOString() });
  const before = (await read(id)).progressed_at?.getTime() ?? 0;
  await renewLease(product.db, id, OWNER, { moved: true, wait: undefined });
  expect((await user.call(getRunEndpoint, undefined, { id })).run.waiting).toBeNull();
  expect((await read(id)).progressed_at?.getTime()).toBeGreaterThan(before);
});

test('the next run belongs to the person who has the fewest at work, and no one takes all the places', async () => {
  await product.db.updateTable('app.runs').set({ state: 'completed' }).execute();
  const [many, one] = [await product.user(), await product.user()];
  for (let index = 0; index < RUNS_OF_ONE_USER + 2; index += 1) await buildRun(many, { created_at: secondsAgo(100) });
  await buildRun(one, { created_at: secondsAgo(10) });
  const taken: (string | undefined)[] = [];
  for (let index = 0; index < RUNS_OF_ONE_USER + 2; index += 1)
    taken.push((await claimNextRun(product.db, OWNER))?.user_id);
  expect(taken[1]).toBe(one.id);
  expect(taken.filter((userId) => userId === many.id)).toHaveLength(RUNS_OF_ONE_USER);
  expect(taken.at(-1)).toBeUndefined();
});

test('runs that have begun keep their places, so that what others wait for is gone on with', async () => {
  await product.db.updateTable('app.runs').set({ state: 'completed' }).execute();
  const user = await product.user();
  const dead = await buildRun(user, held(20, { lease_expires_at: secondsAgo(1) }));
  const released = await buildRun(user, { started_at: secondsAgo(20), created_at: secondsAgo(5) });
  for (let index = 0; index < RUNS_OF_ONE_USER; index += 1) await buildRun(user, { created_at: secondsAgo(100) });
  const taken: (string | undefined)[] = [];
  for (let index = 0; index <= RUNS_OF_ONE_USER; index += 1) taken.push((await claimNextRun(product.db, OWNER))?.id);
  expect(taken.slice(0, 2).toSorted()).toEqual([dead, released].toSorted());
  expect(taken.filter((id) => id !== undefined)).toHaveLength(RUNS_OF_ONE_USER);
});
