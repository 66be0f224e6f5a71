import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase } from '#test/databases/database.ts';
import { asyncCommit } from './async-commit.ts';
import { type Connection, connect } from './client.ts';

let one: Connection;
beforeAll(async () => {
  one = connect(await freshDatabase(), { max: 1 });
});
afterAll(() => one.db.destroy());

test('a statement that says so does not wait for the disk, and the next one does again', async () => {
  const { db } = one;
  await sql`set synchronous_commit = on`.execute(db);
  await sql`create temporary table seen as select 1 as id, '' as waits`.execute(db);
  const seen = async (condition = sql`true`) => {
    const { rows } = await sql<{ waits: string }>`
      update seen set waits = current_setting('synchronous_commit') where id = 1 and ${condition} returning waits
    `.execute(db);
    return rows[0]?.waits;
  };
  expect([await seen(), await seen(asyncCommit), await seen()]).toEqual(['on', 'off', 'on']);
});
