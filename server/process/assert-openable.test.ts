import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Connection, connect } from '#db/connection/client.ts';
import { createVault } from '#db/sealed/vault.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { assertOpenable } from './assert-openable.ts';

const newKey = () => randomBytes(32).toString('base64');
const [oldKey, key] = [newKey(), newKey()];
const vaultOf = (...keys: string[]) => createVault(keys);
const embedded = { configured: false, dataDir: '/srv/data', hosted: false };

let connection: Connection;
beforeAll(async () => {
  connection = connect(await freshDatabase());
  const sealed_client_secret = vaultOf(oldKey).seal('a secret', 'crm_connection.sealed_client_secret');
  await connection.db.insertInto('app.crm_connection').values({ sealed_client_secret }).execute();
});
afterAll(() => connection.db.destroy());

test('a start without the key that sealed something is refused, and told where the key should be', async () => {
  const problem = /No key in \/srv\/data\/secrets\.json opens some of the stored secrets \(1 in .*crm_connection/;
  await expect(assertOpenable(connection.db, vaultOf(key), embedded)).rejects.toThrow(problem);
  const configured = assertOpenable(connection.db, vaultOf(key), { ...embedded, configured: true });
  await expect(configured).rejects.toThrow('ENCRYPTION_KEYS');
});

test('with the old key after the new one it starts', async () => {
  await expect(assertOpenable(connection.db, vaultOf(key, oldKey), embedded)).resolves.toBeUndefined();
});
