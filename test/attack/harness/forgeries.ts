import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { decodeJwt, exportJWK, type JWTPayload, SignJWT } from 'jose';
import { createSigningKeys } from '#backend/auth/tokens/signing-keys.ts';
import type { Account } from './people.ts';
import { PUBLISHABLE_KEY, type Site } from './site.ts';

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs claims with the server's own key, which no attacker has: the strictest test of what is looked at besides. */
export async function signAsServer(site: Site, claims: JWTPayload): Promise<string> {
  const { kid, key } = await createSigningKeys(site.deps).current();
  return sign(claims, { kid, key });
}

const sign = (claims: JWTPayload, { kid, key }: { kid: string; key: KeyObject }, header: object = {}) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid, typ: 'JWT', ...header }).sign(key);

/** What may stand in Authorization in the place of `account`'s token, by what is wrong with it. None of it may open anything. */
export async function forgeries(
  site: Site,
  account: Account,
  other: Account,
): Promise<Record<string, string | undefined>> {
  const claims = decodeJwt(account.accessToken);
  const { kid } = await createSigningKeys(site.deps).current();
  const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const strangersKey = { kid, key: stranger.privateKey };
  const { keys } = JSON.parse((await site.call('GET', '/auth/v1/.well-known/jwks.json')).text);
  const pem = createPublicKey({ key: keys[0], format: 'jwk' }).export({ type: 'spki', format: 'pem' });
  const hs256 = (secret: string | Buffer) => {
    const text = `${base64url({ alg: 'HS256', kid, typ: 'JWT' })}.${base64url(claims)}`;
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
  };
  const [head, body, signature] = account.accessToken.split('.');
  const past = Math.floor(Date.now() / 1000) - 1;
  return {
    'no token': undefined,
    garbage: 'not.a.token',
    'cut short': `${head}.${body}.`,
    'altered claims': `${head}.${base64url({ ...claims, sub: other.userId })}.${signature}`,
    expired: await signAsServer(site, { ...claims, exp: past }),
    'wrong key': await sign(claims, strangersKey),
    'a key of its own in the header': await sign(claims, strangersKey, { jwk: await exportJWK(stranger.publicKey) }),
    'a key elsewhere': await sign(claims, strangersKey, { jku: 'https://evil.example/jwks.json' }),
    'alg none': `${base64url({ alg: 'none', kid, typ: 'JWT' })}.${body}.`,
    'HS256 with the public key': hs256(pem),
    'HS256 with the public JWK': hs256(JSON.stringify(keys[0])),
    'HS256 with the publishable key': hs256(PUBLISHABLE_KEY),
    'another issuer': await signAsServer(site, { ...claims, iss: 'https://evil.example/auth/v1' }),
    'another audience': await signAsServer(site, { ...claims, aud: 'service_role' }),
    'the role of the server': await signAsServer(site, { ...claims, role: 'service_role' }),
    'a session that has ended': await signAsServer(site, { ...claims, session_id: randomUUID() }),
    'a session that is no id': await signAsServer(site, { ...claims, session_id: "' or true --" }),
    'the session of another': await signAsServer(site, { ...claims, sub: other.userId }),
    'a refresh token': account.refreshToken,
    'the publishable key': PUBLISHABLE_KEY,
  };
}
