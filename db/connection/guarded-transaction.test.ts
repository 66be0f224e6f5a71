import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { whileAsked } from '#db/cancel/while-asked.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { type Connection, connect } from './client.ts';
import { isDatabaseGone } from './database-gone.ts';
import { guardedTransaction } from './guarded-transaction.ts';
import { together, togetherAtLast } from './together.ts';

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
  expect(messagesHere() - before).toBe(2);
  const silent = guardedTransaction(one.db, async (tx) => {
    await sql`set local idle_in_transaction_session_timeout = '50ms'`.execute(tx);
    await vi.waitFor(async () => expect(await sessionsInTransaction()).toEqual([]), 5_000);
    await sql`select 1`.execute(tx);
  });
  expect(isDatabaseGone(await silent.catch((error: unknown) => error))).toBe(true);
  expect((await patience().execute(one.db)).rows).toHaveLength(1);
});

test('statements that are sent together are one message, each with its own rows', async () => {
  await sql`create table public.notes (id bigint primary key, text text)`.execute(one.db);
  const before = messagesHere();
  const [written, read] = await guardedTransaction(one.db, (tx) =>
    togetherAtLast(tx, [
      sql<{ id: number }>`insert into public.notes values (${1}, ${'one'}), (${2}, null) returning id`,
      sql<{ many: number; first: string | null }>`select count(*) as many, min(text) as first from public.notes`,
    ]),
  );
  expect(messagesHere() - before).toBe(1);
  expect(written).toEqual([{ id: 1 }, { id: 2 }]);
  expect(read).toEqual([{ many: 2, first: 'one' }]);
  await expect(
    guardedTransaction(one.db, async (tx) => {
      await togetherAtLast(tx, [sql`select 1`]);
      await sql`delete from public.notes`.execute(tx);
    }),
  ).rejects.toThrow('committed with its last statements');
  const left = sql<{ id: number }>`select id from public.notes order by id`;
  expect((await left.execute(one.db)).rows).toEqual([{ id: 1 }, { id: 2 }]);
});

test.each([
  ['a statement fails', sql`select 1 / 0`, 'division by zero'],
  ['a value has no text', sql`select ${{ big: 1n }}::text`, 'BigInt'],
])('nothing of a message is done where %s', async (_, wrong, words) => {
  const count = async () =>
    (await sql<{ many: number }>`select count(*) as many from public.notes`.execute(one.db)).rows[0]?.many;
  const before = await count();
  const added = sql`insert into public.notes values (${3}, 'three')`;
  for (const send of [together, togetherAtLast])
    await expect(guardedTransaction(one.db, (tx) => send(tx, [added, wrong, sql`select 1`]))).rejects.toThrow(words);
  // On the connections that were used.
  expect(await Promise.all([count(), count()])).toEqual([before, before]);
  expect(await sessionsInTransaction()).toEqual([]);
  await expect(guardedTransaction(one.db, (tx) => together(tx, [added]).then(() => wrong.execute(tx)))).rejects.toThrow(
    words,
  );
  expect(await count()).toBe(before);
});

test('a transaction that says nothing sends nothing, and one that was aborted is not taken for committed', async () => {
  const before = messagesHere();
  expect(await guardedTransaction(one.db, () => Promise.resolve('done'))).toBe('done');
  expect(messagesHere()).toBe(before);
  const aborted = guardedTransaction(one.db, async (tx) => {
    await sql`select 1 / 0`.execute(tx).catch(() => {});
  });
  await expect(aborted).rejects.toThrow();
  await expect(one.db.transaction().execute((tx) => together(tx, [sql`select 1`]))).rejects.toThrow('guarded');
});

test.each(['before its end', 'before its last statements'])(
  'a caller who hangs up %s leaves no transaction open',
  async (when) => {
    const gone = new AbortController();
    const asked = whileAsked(gone.signal, () =>
      guardedTransaction(one.db, async (tx) => {
        await sql`select 1`.execute(tx);
        gone.abort();
        if (when === 'before its last statements') await togetherAtLast(tx, [sql`select 1`]);
      }),
    );
    await expect(asked).rejects.toThrow('hung up');
    const begun = sql<{ at: string }>`select now()::text as at`;
    const [first] = (await begun.execute(one.db)).rows;
    const [second] = (await begun.execute(one.db)).rows;
    // Within one transaction it is always the same moment.
    expect(second?.at).not.toBe(first?.at);
  },
);
