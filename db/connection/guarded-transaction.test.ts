import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freshDatabase } from '#test/databases/database.ts';
import { type Connection, connect } from './client.ts';
import { isDatabaseGone } from './database-gone.ts';
import { guardedTransaction } from './guarded-transaction.ts';

let one: Connection;
let database: string;
// Before the first connection, which keeps the method that it finds.
const messages = vi.spyOn(pg.Client.prototype, 'query');
beforeAll(async () => {
  const url = await freshDatabase();
  database = new URL(url).pathname.slice(1);
  one = connect(url, { max: 2 });
});
afterAll(() => {
  messages.mockRestore();
  return one.db.destroy();
});

/** Without what earlier tests of this process still send to their own databases. */
const messagesHere = () =>
  messages.mock.contexts.filter((client) => client instanceof pg.Client && client.database === database).length;

const sessionsInTransaction = async () => {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'
  `.execute(one.db);
  return rows;
};

test('a transaction whose process falls silent is undone, which counts as a database that was gone', async () => {
  const patience = () => sql<{ is: string }>`select current_setting('idle_in_transaction_session_timeout') as is`;
  expect((await guardedTransaction(one.db, (tx) => patience().execute(tx))).rows).toEqual([{ is: '10s' }]);
  expect((await patience().execute(one.db)).rows).toEqual([{ is: '0' }]);
  const before = messagesHere();
  await guardedTransaction(one.db, (tx) => patience().execute(tx));
  expect(messagesHere() - before).toBe(3);
  const silent = guardedTransaction(one.db, async (tx) => {
    await sql`set local idle_in_transaction_session_timeout = '50ms'`.execute(tx);
    await vi.waitFor(async () => expect(await sessionsInTransaction()).toEqual([]), 5_000);
    await sql`select 1`.execute(tx);
  });
  expect(isDatabaseGone(await silent.catch((error: unknown) => error))).toBe(true);
  expect((await patience().execute(one.db)).rows).toHaveLength(1);
});
