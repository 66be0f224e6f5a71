import { sign } from 'node:crypto';
import type { SigningKey } from './signing-keys.ts';

/** Signs claims as a compact JWT. Node signs by itself for a quarter of what Web Crypto, which jose goes through, costs this thread. */
export function signToken(claims: object, { kid, key }: SigningKey): string {
  const signed = [{ alg: 'ES256', kid, typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = sign('sha256', Buffer.from(signed), key);
  return `${signed}.${signature.toString('base64url')}`;
}
