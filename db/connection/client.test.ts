import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase } from '#test/databases/database.ts';
import { type Connection, connect } from './client.ts';
import { inTransaction } from './tx.ts';

let url: string;
let connection: Connection;
const seen: Error[] = [];

beforeAll(async () => {
  url = await freshDatabase('empty');
  connection = connect(url, { max: 3, onError: (error) => seen.push(error) });
});
afterAll(() => connection.db.destroy());

const killOthers = async () => {
  const admin = new pg.Client(url);
  await admin.connect();
  const killed = await admin.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await admin.end();
  return killed.rowCount ?? 0;
};

test('bigint arrives as a number, and one too large as an error', async () => {
  const one = await sql<{ n: number }>`select 9007199254740991::bigint as n`.execute(connection.db);
  expect(one.rows[0]?.n).toBe(Number.MAX_SAFE_INTEGER);
  await expect(sql`select 9007199254740992::bigint as n`.execute(connection.db)).rejects.toThrow(RangeError);
});

test('survives the loss of idle connections', async () => {
  await sql`select 1`.execute(connection.db);
  expect(await killOthers()).toBeGreaterThan(0);
  await expect.poll(() => seen.length, { timeout: 5_000 }).toBeGreaterThan(0);
  expect(seen[0]).not.toHaveProperty('client');
  expect((await sql<{ n: number }>`select 1 as n`.execute(connection.db)).rows).toEqual([{ n: 1 }]);
});

test('a connection lost in the middle of a transaction fails that transaction only', async () => {
  await expect(
    inTransaction(connection.db, async (tx) => {
      await sql`create table left_behind ()`.execute(tx);
      await killOthers();
      await sql`select 1`.execute(tx);
    }),
  ).rejects.toThrow();
  const left = await sql<{ found: boolean }>`select to_regclass('left_behind') is not null as found`.execute(
    connection.db,
  );
  expect(left.rows).toEqual([{ found: false }]);
});

test('inTransaction joins the transaction that is running', async () => {
  const xid = sql<{ xid: string }>`select pg_current_xact_id()::text as xid`;
  const [outer, inner] = await inTransaction(connection.db, async (tx) => [
    (await xid.execute(tx)).rows[0]?.xid,
    await inTransaction(tx, async (same) => (await xid.execute(same)).rows[0]?.xid),
  ]);
  expect(outer).toBeDefined();
  expect(inner).toBe(outer);
});
