import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { Tx } from '#db/tx.ts';
import type { Vault } from '#db/vault.ts';

const ALGORITHM = 'ES256';
/** How soon a process notices that another one changed the key in use. */
const FRESH_MS = 60_000;
/** Advisory lock of the one process that makes the first key. Any number, used for nothing else. */
const FIRST_KEY_LOCK = 7_341_902_265;

/** The key that signs access tokens now. */
export type SigningKey = { kid: string; key: CryptoKey };
/** Makes the first key when there is none. */
export type SigningKeys = { current(): Promise<SigningKey> };

/** Private keys lie in auth.signing_keys, sealed by the vault. */
export function createSigningKeys({ db, vault }: { db: Db; vault: Vault }): SigningKeys {
  let held: { key: Promise<SigningKey>; since: number } | undefined;
  return {
    async current() {
      if (held && Date.now() - held.since < FRESH_MS) return held.key;
      const mine = { key: loadOrMake(db, vault), since: Date.now() };
      held = mine;
      try {
        return await mine.key;
      } catch (error) {
        if (held === mine) held = undefined;
        throw error;
      }
    },
  };
}

async function loadOrMake(db: Db, vault: Vault): Promise<SigningKey> {
  const row = (await findInUse(db)) ?? (await makeFirst(db, vault));
  const jwk: JWK = JSON.parse(vault.open(row.sealed_private_jwk, placeOf(row.kid)));
  const key = await importJWK(jwk, ALGORITHM);
  if (key instanceof Uint8Array) throw new TypeError('A signing key is symmetric.');
  return { kid: row.kid, key };
}

const findInUse = (db: Db) =>
  db
    .selectFrom('auth.signing_keys')
    .select(['kid', 'sealed_private_jwk'])
    .where('status', '=', 'in_use')
    .executeTakeFirst();

function makeFirst(db: Db, vault: Vault) {
  return db.transaction().execute(async (tx: Tx) => {
    await sql`select pg_advisory_xact_lock(${FIRST_KEY_LOCK}::bigint)`.execute(tx);
    const found = await findInUse(tx);
    if (found) return found;
    const pair = await generateKeyPair(ALGORITHM, { extractable: true });
    const publicJwk = await exportJWK(pair.publicKey);
    const kid = await calculateJwkThumbprint(publicJwk);
    return tx
      .insertInto('auth.signing_keys')
      .values({
        kid,
        algorithm: ALGORITHM,
        public_jwk: JSON.stringify({ ...publicJwk, kid, alg: ALGORITHM, use: 'sig', key_ops: ['verify'] }),
        sealed_private_jwk: vault.seal(JSON.stringify(await exportJWK(pair.privateKey)), placeOf(kid)),
        status: 'in_use',
      })
      .returning(['kid', 'sealed_private_jwk'])
      .executeTakeFirstOrThrow();
  });
}

const placeOf = (kid: string) => `signing_keys.sealed_private_jwk:${kid}`;
