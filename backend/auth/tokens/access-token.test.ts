import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, exportJWK, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startAuth } from '#backend/auth/testing/harness.ts';
import { createVault } from '#db/sealed/vault.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { createTokenVerifier, type TokenVerifier } from './access-token.ts';
import { listPublicJwks } from './public-keys.ts';
import { createSigningKeys, type SigningKey } from './signing-keys.ts';

let auth: Awaited<ReturnType<typeof startAuth>>;
let verifier: TokenVerifier;
let genuine: string;
let claims: JWTPayload;
let signing: SigningKey;
const vault = createVault([Buffer.alloc(32, 7).toString('base64')]);
beforeAll(async () => {
  auth = await startAuth(await freshDatabase());
  verifier = createTokenVerifier({ db: auth.db, issuer: auth.issuer });
  genuine = (await auth.signIn('ada@harbour.example')).session.access_token;
  claims = decodeJwt(genuine);
  signing = await createSigningKeys({ db: auth.db, vault }).current();
});
afterAll(() => auth.close());

/** Claims may be undefined, and are then left out of the token. */
const sign = (payload: Record<string, unknown>, key: { kid: string; key: KeyObject } = signing, alg = 'ES256') =>
  new SignJWT(payload).setProtectedHeader({ alg, kid: key.kid, typ: 'JWT' }).sign(key.key);
const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

test('the genuine one, again and again', async () => {
  const first = await verifier.verify(genuine);
  expect(first?.userId).toBe(claims.sub);
  expect(await verifier.verify(genuine)).toBe(first);
});

test('what the first process signed, a second one with the same keys signs alike', async () => {
  expect((await verifier.verify(await sign(claims)))?.userId).toBe(claims.sub);
});

test.each([
  ['of another issuer', { iss: 'https://evil.example/auth/v1' }],
  ['for another audience', { aud: 'anon' }],
  ['that has expired', { exp: Math.floor(Date.now() / 1000) - 1 }],
  ['without expiry', { exp: undefined }],
  ['without session', { session_id: undefined }],
  ['without subject', { sub: undefined }],
  ['with the role of the server', { role: 'service_role' }],
  ['of an anonymous user', { is_anonymous: true }],
])('refuses one %s', async (_what, change) => {
  expect(await verifier.verify(await sign({ ...claims, ...change }))).toBeUndefined();
});

test('refuses another key that claims our key id', async () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  expect(await verifier.verify(await sign(claims, { kid: signing.kid, key: privateKey }))).toBeUndefined();
  expect(await verifier.verify(await sign(claims, { kid: 'unknown', key: privateKey }))).toBeUndefined();
});

test('refuses alg none, and HS256 signed with our public key', async () => {
  const body = base64url(claims);
  expect(await verifier.verify(`${base64url({ alg: 'none', kid: signing.kid })}.${body}.`)).toBeUndefined();
  const [jwk = {}] = await listPublicJwks(auth.db);
  const pem = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
  const head = base64url({ alg: 'HS256', kid: signing.kid, typ: 'JWT' });
  const signature = createHmac('sha256', pem).update(`${head}.${body}`).digest('base64url');
  expect(await verifier.verify(`${head}.${body}.${signature}`)).toBeUndefined();
});

test('refuses altered claims and garbage', async () => {
  const [head, , signature] = genuine.split('.');
  expect(
    await verifier.verify(`${head}.${base64url({ ...claims, sub: crypto.randomUUID() })}.${signature}`),
  ).toBeUndefined();
  for (const garbage of ['', '.', '..', 'x', 'a.b.c', `${genuine}x`, 'é'.repeat(9000)])
    expect(await verifier.verify(garbage)).toBeUndefined();
});

test('forgets a remembered token when it expires', async () => {
  expect(await verifier.verify(genuine)).toBeDefined();
  vi.useFakeTimers({ now: (claims.exp ?? 0) * 1000 + 1, toFake: ['Date'] });
  try {
    expect(await verifier.verify(genuine)).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});

test('follows a rotation at once, and a revocation within a minute', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const next = { kid: 'next', key: privateKey };
  await auth.db
    .insertInto('auth.signing_keys')
    .values({
      kid: next.kid,
      public_jwk: JSON.stringify({ ...(await exportJWK(publicKey)), kid: next.kid, alg: 'ES256' }),
      sealed_private_jwk: 'unused here',
      status: 'standby',
    })
    .execute();
  const fresh = createTokenVerifier({ db: auth.db, issuer: auth.issuer });
  const token = await sign(claims, next);
  expect(decodeProtectedHeader(token).kid).toBe('next');
  expect(await fresh.verify(token)).toBeDefined();
  await auth.db.updateTable('auth.signing_keys').set({ status: 'revoked' }).where('kid', '=', next.kid).execute();
  vi.useFakeTimers({ now: Date.now() + 61_000, toFake: ['Date'] });
  try {
    expect(await fresh.verify(token)).toBeUndefined();
    expect(await fresh.verify(genuine)).toBeDefined();
  } finally {
    vi.useRealTimers();
  }
});
