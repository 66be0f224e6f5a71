import { type CryptoKey, importJWK, type JWK } from 'jose';
import { sql } from 'kysely';
import { AUTH_LIFETIMES } from '#backend/auth/kit/limits.ts';
import type { Db } from '#db/connection/client.ts';

/** How long a revoked key may still be believed. */
const FRESH_MS = 60_000;
/** Made-up key ids must not become a query each. */
const RELOAD_AT_MOST_EVERY_MS = 5_000;

/** What access tokens are verified with. */
export type PublicKeys = { find(kid: string): Promise<CryptoKey | undefined> };

/** Every public key whose tokens may still be good, or will be, as a JWK: not the revoked, nor those replaced long ago. */
export async function listPublicJwks(db: Db): Promise<JWK[]> {
  const rows = await db
    .selectFrom('auth.signing_keys')
    .select('public_jwk')
    .where('status', '<>', 'revoked')
    .where((where) => where.or([where('retired_at', 'is', null), where('retired_at', '>', retiredBefore)]))
    .orderBy('created_at', 'desc')
    .execute();
  return rows.map((row) => row.public_jwk as JWK);
}

/** Keeps the public keys in memory, no older than a minute. */
export function createPublicKeys(db: Db): PublicKeys {
  let keys: Promise<Map<string, CryptoKey>> | undefined;
  let loadedAt = 0;

  function reload() {
    loadedAt = Date.now();
    const loading = load(db);
    keys = loading;
    loading.catch(() => {
      if (keys === loading) keys = undefined;
    });
    return loading;
  }

  return {
    async find(kid) {
      const age = Date.now() - loadedAt;
      const key = (await (keys && age < FRESH_MS ? keys : reload())).get(kid);
      if (key || age < RELOAD_AT_MOST_EVERY_MS || age >= FRESH_MS) return key;
      return (await reload()).get(kid);
    },
  };
}

const retiredBefore = sql<Date>`now() - ${AUTH_LIFETIMES.keyRetiredMs} * interval '1 millisecond'`;

async function load(db: Db): Promise<Map<string, CryptoKey>> {
  const keys = new Map<string, CryptoKey>();
  for (const jwk of await listPublicJwks(db)) {
    const key = await importJWK(jwk, 'ES256');
    if (jwk.kid && !(key instanceof Uint8Array)) keys.set(jwk.kid, key);
  }
  return keys;
}
