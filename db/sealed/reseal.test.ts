import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Connection, connect } from '#db/connection/client.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { countSealed } from './count-sealed.ts';
import { reseal } from './reseal.ts';
import { placeIn, SEALED_COLUMNS } from './sealed-columns.ts';
import { createVault } from './vault.ts';

const newKey = () => randomBytes(32).toString('base64');
const [oldKey, key] = [newKey(), newKey()];
const before = createVault([oldKey]);
const vault = createVault([key, oldKey]);
const after = createVault([key]);

let connection: Connection;
beforeAll(async () => {
  connection = connect(await freshDatabase());
});
afterAll(() => connection.db.destroy());

const column = (name: string) => {
  const found = SEALED_COLUMNS.find((one) => one.column === name);
  if (!found) throw new Error(`There is no column ${name}.`);
  return found;
};
const keyColumn = column('sealed_key');

async function saveKeys(count: number, text = 'secret'): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  for (const id of ids) {
    await connection.db.insertInto('auth.users').values({ id }).execute();
    await connection.db
      .insertInto('app.provider_keys')
      .values({
        user_id: id,
        provider: 'hunter_io',
        sealed_key: before.seal(`${text} ${id}`, placeIn(keyColumn, `${id}:hunter_io`)),
        last_four: 'cret',
        fingerprint: before.fingerprint(`hunter_io:${text} ${id}`),
        sandbox: false,
      })
      .execute();
  }
  return ids;
}
const rowOf = (id: string) =>
  connection.db.selectFrom('app.provider_keys').selectAll().where('user_id', '=', id).executeTakeFirstOrThrow();

test('no sealed column of the database is forgotten', async () => {
  const { rows } = await sql<{ name: string }>`
    select table_schema || '.' || table_name || '.' || column_name as name from information_schema.columns
    where column_name like 'sealed\\_%' order by 1`.execute(connection.db);
  const known = SEALED_COLUMNS.map(({ schema, table, column: name }) => `${schema}.${table}.${name}`);
  expect(rows.map((row) => row.name)).toEqual(known.sort());
});

test('seals every secret with the new key, with its fingerprint', async () => {
  const ids = await saveKeys(120);
  expect(await reseal(connection.db, vault, keyColumn)).toEqual({ resealed: 120, unopened: 0 });
  for (const id of ids) {
    const row = await rowOf(id);
    expect(after.open(row.sealed_key, placeIn(keyColumn, `${id}:hunter_io`))).toBe(`secret ${id}`);
    expect(row.fingerprint).toBe(after.fingerprint(`hunter_io:secret ${id}`));
  }
  expect(await reseal(connection.db, vault, keyColumn)).toEqual({ resealed: 0, unopened: 0 });
});

test('seals every kind of column', async () => {
  const { db } = connection;
  const [userId = ''] = await saveKeys(1);
  const session = await db
    .insertInto('auth.sessions')
    .values({ user_id: userId })
    .returning('id')
    .executeTakeFirstOrThrow();
  const id = randomUUID();
  const child = column('sealed_child');
  await db
    .insertInto('auth.refresh_tokens')
    .values({
      id,
      session_id: session.id,
      token_hash: randomBytes(32),
      sealed_child: before.seal('child', placeIn(child, id)),
    })
    .execute();
  const jwk = column('sealed_private_jwk');
  await db
    .insertInto('auth.signing_keys')
    .values({
      kid: 'k',
      public_jwk: '{}',
      status: 'standby',
      sealed_private_jwk: before.seal('jwk', placeIn(jwk, 'k')),
    })
    .execute();
  const factor = column('sealed_secret');
  await db
    .insertInto('auth.mfa_factors')
    .values({ id, user_id: userId, factor_type: 'totp', sealed_secret: before.seal('seed', placeIn(factor, id)) })
    .execute();
  const secret = column('sealed_client_secret');
  await db
    .insertInto('app.crm_connection')
    .values({ sealed_client_secret: before.seal('crm', placeIn(secret, '')) })
    .execute();

  for (const one of SEALED_COLUMNS) expect((await reseal(db, vault, one)).unopened).toBe(0);
  const counts = await countSealed(db, SEALED_COLUMNS);
  expect(counts.map((count) => count.column).sort()).toEqual([
    'crm_connection.sealed_client_secret',
    'mfa_factors.sealed_secret',
    'provider_keys.sealed_key',
    'refresh_tokens.sealed_child',
    'signing_keys.sealed_private_jwk',
  ]);
  expect(counts.every(({ keyId }) => keyId === after.keyIds[0])).toBe(true);
});

test('leaves what it cannot open, and says how many', async () => {
  const [id = ''] = await saveKeys(1);
  const foreign = createVault([newKey()]).seal('x', placeIn(keyColumn, `${id}:hunter_io`));
  await connection.db.updateTable('app.provider_keys').set({ sealed_key: foreign }).where('user_id', '=', id).execute();
  expect(await reseal(connection.db, vault, keyColumn)).toEqual({ resealed: 0, unopened: 1 });
  expect((await rowOf(id)).sealed_key).toBe(foreign);
  await connection.db.deleteFrom('app.provider_keys').where('user_id', '=', id).execute();
});

test('waits for rows that a server holds, and keeps what that writes', async () => {
  const [id = '', ...others] = await saveKeys(60);
  let resealing: Promise<{ resealed: number }> | undefined;
  await connection.db.transaction().execute(async (tx) => {
    // A server that knows only the old key, or has not noticed the new one, saves another key meanwhile.
    await tx
      .updateTable('app.provider_keys')
      .set({ sealed_key: before.seal('newer', placeIn(keyColumn, `${id}:hunter_io`)) })
      .where('user_id', '=', id)
      .execute();
    resealing = reseal(connection.db, vault, keyColumn);
    for (const other of others)
      await expect
        .poll(async () => (await rowOf(other)).sealed_key.split('.')[1], { timeout: 10_000 })
        .toBe(after.keyIds[0]);
  });
  expect((await resealing)?.resealed).toBe(60);
  expect(after.open((await rowOf(id)).sealed_key, placeIn(keyColumn, `${id}:hunter_io`))).toBe('newer');
});

test('two at once end right', async () => {
  const ids = await saveKeys(200);
  const results = await Promise.all([reseal(connection.db, vault, keyColumn), reseal(connection.db, vault, keyColumn)]);
  expect(results.map((result) => result.unopened)).toEqual([0, 0]);
  for (const id of ids)
    expect(after.open((await rowOf(id)).sealed_key, placeIn(keyColumn, `${id}:hunter_io`))).toBe(`secret ${id}`);
});
