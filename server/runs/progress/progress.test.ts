import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Connection, connect } from '#db/connection/client.ts';
import type { RunContext } from '#server/runs/run-context.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { startProgress } from './progress.ts';

let connection: Connection;
beforeAll(async () => {
  connection = connect(await freshDatabase());
});
afterAll(() => connection.db.destroy());

/** Progress of a run on a database that takes its time, and the order in which writes begin and end. */
function slowProgress() {
  const order: string[] = [];
  const slow = connection.db.withPlugin({
    transformQuery({ node }) {
      order.push('begins');
      return node;
    },
    async transformResult({ result }) {
      await pause(150);
      order.push('ends');
      return result;
    },
  });
  const run = { id: randomUUID(), userId: randomUUID(), listId: randomUUID(), sandbox: true, input: {}, totals: {} };
  const deps = { db: slow, log: pino({ level: 'silent' }) } as unknown as RunContext['deps'];
  return { order, progress: startProgress({ deps, run, owner: randomUUID() }, { done: 0 }) };
}

test('a write never overtakes the one before it', async () => {
  const { order, progress } = slowProgress();
  progress.add({ done: 1 });
  while (order.length < 3) await pause(5);
  progress.add({ done: 1 });
  await progress.flush();
  expect(order).toEqual(['begins', 'ends', 'begins', 'ends', 'begins', 'ends']);
});

test('the last totals are given once no write is under way, and none comes behind them', async () => {
  const { order, progress } = slowProgress();
  progress.add({ done: 2 });
  expect(await progress.end()).toEqual({ done: 2 });
  expect(order).toEqual(['begins', 'ends']);
  await pause(250);
  expect(order).toEqual(['begins', 'ends']);
});
