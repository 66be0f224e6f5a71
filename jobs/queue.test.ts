import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Connection, connect } from '#db/connection/client.ts';
import { guardedTransaction } from '#db/connection/guarded-transaction.ts';
import { togetherAtLast } from '#db/connection/together.ts';
import { assuming } from '#db/roles/server-role.ts';
import { cuttableDatabase } from '#test/databases/cuttable-database.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { eventually } from '#test/eventually.ts';
import { installQueue } from './install-queue.ts';
import { type Queue, startQueue } from './queue.ts';

let connection: Connection;
let databaseUrl: string;
let web: Queue;
let worker: Queue;
/** What is taken, and then waits for room. */
const held = new Map<string, Promise<void>>();
const taken: { runId: string; at: number }[] = [];

beforeAll(async () => {
  const url = await freshDatabase();
  databaseUrl = url;
  connection = connect(url);
  await sql`drop schema pgboss cascade`.execute(connection.db);
  // Two processes starting at once on an empty database.
  await Promise.all([installQueue(url), installQueue(url)]);
  [web, worker] = await Promise.all([startQueue(assuming(url, 'web')), startQueue(assuming(url, 'worker'))]);
  await worker.work(async (runId) => {
    taken.push({ runId, at: Date.now() });
    await held.get(runId);
  });
});
afterAll(async () => {
  await Promise.all([web.stop(), worker.stop()]);
  await connection.db.destroy();
});

const stateOf = async (runId: string) => {
  const { rows } = await sql<{ state: string }>`
    select state::text from pgboss.job where data ->> 'runId' = ${runId}`.execute(connection.db);
  return rows[0]?.state;
};
const wasTaken = (runId: string) => taken.filter((one) => one.runId === runId);

test('an announcement reaches another process at once when its transaction commits', async () => {
  let committed = 0;
  await connection.db.transaction().execute(async (tx) => {
    await web.announceRun(tx, 'first');
    await sleep(100);
    expect(wasTaken('first')).toHaveLength(0);
    committed = Date.now();
  });
  await eventually(() => expect(wasTaken('first')).toHaveLength(1));
  expect((wasTaken('first')[0]?.at ?? Number.POSITIVE_INFINITY) - committed).toBeLessThan(400);
});

test('a transaction that rolls back announces nothing', async () => {
  const undone = connection.db.transaction().execute(async (tx) => {
    await web.announceRun(tx, 'undone');
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  await sleep(300);
  expect(wasTaken('undone')).toHaveLength(0);
});

test('an announcement as a statement reaches another process with what it is sent with, or not at all', async () => {
  const statement = await web.announcing('along');
  await expect(
    guardedTransaction(connection.db, (tx) => togetherAtLast(tx, [statement, sql`select 1 / 0`])),
  ).rejects.toThrow('division by zero');
  await sleep(300);
  expect(wasTaken('along')).toHaveLength(0);
  await guardedTransaction(connection.db, (tx) => togetherAtLast(tx, [sql`select 1`, statement]));
  await eventually(() => expect(wasTaken('along')).toHaveLength(1));
});

test('a run that is already announced is not announced twice', async () => {
  await connection.db.transaction().execute(async (tx) => {
    await web.announceRun(tx, 'twice');
    await web.announceRun(tx, 'twice');
  });
  await eventually(() => expect(wasTaken('twice')).toHaveLength(1));
  await sleep(300);
  expect(wasTaken('twice')).toHaveLength(1);
});

test('a process that works takes a run that it has announced itself at once, and once', async () => {
  web.handOver('own');
  expect(wasTaken('own')).toHaveLength(0);
  worker.handOver('own');
  expect(wasTaken('own')).toHaveLength(1);
  await worker.announceRun(connection.db, 'own');
  await worker.announceRun(connection.db, 'behind');
  await eventually(() => expect(wasTaken('behind')).toHaveLength(1));
  expect(wasTaken('own')).toHaveLength(1);
});

test('the announcement of a run that was handed over is done when the run has been taken', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  held.set('held', promise);
  worker.handOver('held');
  await worker.announceRun(connection.db, 'held');
  await expect.poll(() => stateOf('held')).not.toBe('created');
  await sleep(300);
  expect(await stateOf('held')).toBe('active');
  resolve();
  await expect.poll(() => stateOf('held')).not.toBe('active');
  expect(wasTaken('held')).toHaveLength(1);
});

test('a run that was handed over and could not be taken is taken when it is announced again', async () => {
  held.set('refused', Promise.reject(new Error('no room')));
  worker.handOver('refused');
  held.delete('refused');
  await worker.announceRun(connection.db, 'refused');
  await expect.poll(() => stateOf('refused')).toBe('failed');
  expect(wasTaken('refused')).toHaveLength(1);
  await worker.announceRun(connection.db, 'refused');
  await eventually(() => expect(wasTaken('refused')).toHaveLength(2));
});

test('what goes wrong while it looks for work is told as an error', async () => {
  const way = await cuttableDatabase(assuming(databaseUrl, 'worker'));
  const told: unknown[] = [];
  const looking = await startQueue(way.url, { onError: (error) => told.push(error), listens: false });
  await looking.work(async () => {});
  await way.cut();
  await vi.waitFor(() => expect(told.map(String).join()).toContain('ECONNREFUSED'), { timeout: 5000 });
  expect(told.filter((error) => !(error instanceof Error))).toEqual([]);
  await way.restore();
  await looking.stop();
  await way.close();
});
