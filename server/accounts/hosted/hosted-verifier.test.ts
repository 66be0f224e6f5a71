import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHostedVerifier } from './hosted-verifier.ts';

const SECRET = 's'.repeat(40);
let server: Server;
let url: string;
let keys: object[];
let es256: CryptoKey;
let rs256: CryptoKey;

beforeAll(async () => {
  const [one, two] = [await generateKeyPair('ES256'), await generateKeyPair('RS256')];
  es256 = one.privateKey;
  rs256 = two.privateKey;
  keys = [
    { ...(await exportJWK(one.publicKey)), kid: 'es', alg: 'ES256' },
    { ...(await exportJWK(two.publicKey)), kid: 'rs', alg: 'RS256' },
  ];
  server = createServer((request, response) => {
    const known = request.url === '/auth/v1/.well-known/jwks.json';
    response.writeHead(known ? 200 : 404, { 'Content-Type': 'application/json' }).end(JSON.stringify({ keys }));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const CLAIMS = { session_id: 'session', email: 'ann@people.example', role: 'authenticated', is_anonymous: false };

function sign(
  { alg = 'ES256', kid = 'es', key = es256 }: { alg?: string; kid?: string; key?: CryptoKey | Uint8Array } = {},
  claims: JWTPayload = {},
) {
  return new SignJWT({ ...CLAIMS, ...claims })
    .setProtectedHeader({ alg, kid })
    .setIssuer((claims.iss as string) ?? `${url}/auth/v1`)
    .setAudience((claims.aud as string) ?? 'authenticated')
    .setSubject('ann')
    .setExpirationTime(claims.exp ?? '1h')
    .sign(key);
}
const shared = () => ({ alg: 'HS256', key: new TextEncoder().encode(SECRET) });
const ANN = { userId: 'ann', sessionId: 'session', email: 'ann@people.example', aal: 'aal1', provenAt: 0 };

test('ES256 and RS256 by the published keys', async () => {
  const verify = createHostedVerifier({ url, jwtSecret: undefined });
  expect(await verify(await sign())).toEqual(ANN);
  expect(await verify(await sign({ alg: 'RS256', kid: 'rs', key: rs256 }))).toEqual(ANN);
});

test('a second step counts only where the token says so', async () => {
  const verify = createHostedVerifier({ url, jwtSecret: undefined });
  expect(await verify(await sign({}, { aal: 'aal2' }))).toEqual({ ...ANN, aal: 'aal2' });
  expect(await verify(await sign({}, { aal: 'more' }))).toEqual(ANN);
});

test.each([
  [[{ method: 'otp', timestamp: 100 }], 100_000],
  [
    [
      { method: 'otp', timestamp: 100 },
      { method: 'totp', timestamp: 300 },
    ],
    300_000,
  ],
  // Renewing a session proves nothing.
  [
    [
      { method: 'otp', timestamp: 100 },
      { method: 'token_refresh', timestamp: 900 },
    ],
    100_000,
  ],
  [['otp'], 0],
  ['otp', 0],
])('what a session has proven last is when, by %j', async (amr, provenAt) => {
  const verify = createHostedVerifier({ url, jwtSecret: undefined });
  expect(await verify(await sign({}, { amr }))).toEqual({ ...ANN, provenAt });
});

test('HS256 only where the secret is configured', async () => {
  const token = await sign(shared());
  expect(await createHostedVerifier({ url, jwtSecret: undefined })(token)).toBeUndefined();
  expect(await createHostedVerifier({ url, jwtSecret: SECRET })(token)).toEqual(ANN);
  expect(await createHostedVerifier({ url, jwtSecret: 'x'.repeat(40) })(token)).toBeUndefined();
});

describe('refused, without a word', () => {
  test.each<[string, JWTPayload]>([
    ['another issuer', { iss: 'https://evil.example/auth/v1' }],
    ['another audience', { aud: 'anon' }],
    ['expired', { exp: 1 }],
    ['the role of the service', { role: 'service_role' }],
    ['anonymous', { is_anonymous: true }],
    ['no session', { session_id: undefined }],
    ['no address', { email: undefined }],
  ])('%s', async (_what, claims) => {
    const verify = createHostedVerifier({ url, jwtSecret: undefined });
    expect(await verify(await sign({}, claims))).toBeUndefined();
  });

  test('another key, an unknown key id, and what is no token', async () => {
    const verify = createHostedVerifier({ url, jwtSecret: SECRET });
    const stranger = await generateKeyPair('ES256');
    const none = `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify(CLAIMS))}.`;
    const bad = [
      await sign({ key: stranger.privateKey }),
      await sign({ kid: 'unknown' }),
      none,
      'a',
      'a.b.c',
      '',
      'x'.repeat(9000),
    ];
    for (const token of bad) expect(await verify(token)).toBeUndefined();
  });
});

test('keys that cannot be fetched are an error, not a refusal', async () => {
  const verify = createHostedVerifier({ url: `${url}/nowhere`, jwtSecret: undefined });
  await expect(verify(await sign())).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});
