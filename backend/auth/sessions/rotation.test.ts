import { decodeProtectedHeader } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sweepAuth } from '#backend/auth/kit/sweep.ts';
import { startAuth } from '#backend/auth/testing/harness.ts';
import { createTokenVerifier } from '#backend/auth/tokens/access-token.ts';
import { createSigningKeys, prepareNextKey, revokeKeys } from '#backend/auth/tokens/signing-keys.ts';
import { createVault } from '#db/sealed/vault.ts';
import { freshDatabase } from '#test/databases/database.ts';

const vault = createVault([Buffer.alloc(32, 7).toString('base64')]);
let auth: Awaited<ReturnType<typeof startAuth>>;
beforeAll(async () => {
  auth = await startAuth(await freshDatabase());
});
afterAll(() => auth.close());

const published = async () => {
  const { keys } = (await (await fetch(`${auth.api}/.well-known/jwks.json`)).json()) as { keys: { kid: string }[] };
  return keys.map((key) => key.kid).sort();
};
const later = (column: 'created_at' | 'retired_at', status: string) =>
  sql`update auth.signing_keys set ${sql.ref(column)} = now() - interval '3 hours' where status = ${status}`.execute(
    auth.db,
  );

test('a new key is published first, then signs in every process, and signs no one out', async () => {
  const { session } = await auth.signIn('stays@harbour.example');
  const verifies = () => createTokenVerifier(auth).verify(session.access_token);
  const { kid: old = '' } = decodeProtectedHeader(session.access_token);

  const { signsFrom } = await prepareNextKey(auth.db, vault);
  expect(signsFrom.getTime()).toBeGreaterThan(Date.now() + 9 * 60_000);
  expect(await prepareNextKey(auth.db, vault)).toEqual({ signsFrom });
  const kids = await published();
  expect(kids).toHaveLength(2);
  expect((await createSigningKeys({ db: auth.db, vault }).current()).kid).toBe(old);

  await later('created_at', 'standby');
  const processes = [1, 2, 3].map(() => createSigningKeys({ db: auth.db, vault }).current());
  const signing = new Set((await Promise.all(processes)).map((key) => key.kid));
  expect([...signing]).toEqual(kids.filter((kid) => kid !== old));
  expect(await published()).toEqual(kids);
  expect(await verifies()).toMatchObject({ email: 'stays@harbour.example' });

  await later('retired_at', 'previously_used');
  expect(await published()).toEqual([...signing]);
  expect(await verifies()).toBeUndefined();
  await sweepAuth(auth.db);
  const left = await auth.db.selectFrom('auth.signing_keys').select(['kid', 'status']).execute();
  expect(left).toEqual([{ kid: [...signing][0], status: 'in_use' }]);
});

test('a revoked key opens nothing, and everyone signs in again', async () => {
  const { session, client } = await auth.signIn('leaves@harbour.example');
  const { kid: leaked = '' } = decodeProtectedHeader(session.access_token);
  await prepareNextKey(auth.db, vault);
  await revokeKeys(auth.db, vault);
  const [now, ...more] = await published();
  expect(more).toEqual([]);
  expect(now).not.toBe(leaked);
  expect((await createSigningKeys({ db: auth.db, vault }).current()).kid).toBe(now);
  expect(await createTokenVerifier(auth).verify(session.access_token)).toBeUndefined();
  // A process that still believes the key finds no session.
  expect((await client.auth.getUser(session.access_token)).error?.status).toBe(403);
  expect((await client.auth.refreshSession(session)).error?.code).toBe('refresh_token_not_found');
});

test('anyone who holds another encryption key prepares nothing', async () => {
  const other = createVault([Buffer.alloc(32, 8).toString('base64')]);
  await expect(prepareNextKey(auth.db, other)).rejects.toThrow('sealed with a key that is not among');
});
