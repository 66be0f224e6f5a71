import { createPrivateKey, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';
import { sql } from 'kysely';
import { AUTH_LIFETIMES } from '#backend/auth/kit/limits.ts';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { Vault } from '#db/sealed/vault.ts';

const ALGORITHM = 'ES256';
/** How soon a process notices that another one changed the key in use. */
const FRESH_MS = 60_000;
/** In this many ms every process has let go of a revoked key, to sign with and to believe. */
export const REVOKED_NOTICED_MS = FRESH_MS + 5_000;
/** Advisory lock of the one process that changes which keys there are. Any number, used for nothing else. */
const KEYS_LOCK = 7_341_902_265;

/**
 * As in a JWT. Node also reads it from an object around both. But it first takes that object for a key, and makes an
 * error with its stack each time.
 */
const SIGNATURE_FORM = { dsaEncoding: 'ieee-p1363' } as const;

/** The key that signs access tokens now. */
export type SigningKey = { kid: string; key: KeyObject & typeof SIGNATURE_FORM };
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
  await promoteNext(db);
  const row = (await findInUse(db)) ?? (await makeFirst(db, vault));
  const jwk: JWK = JSON.parse(vault.open(row.sealed_private_jwk, placeOf(row.kid)));
  return { kid: row.kid, key: Object.assign(createPrivateKey({ key: jwk, format: 'jwk' }), SIGNATURE_FORM) };
}

const findInUse = (db: Db) =>
  db
    .selectFrom('auth.signing_keys')
    .select(['kid', 'sealed_private_jwk'])
    .where('status', '=', 'in_use')
    .executeTakeFirst();

function makeFirst(db: Db, vault: Vault) {
  return db.transaction().execute(async (tx) => {
    await lockKeys(tx);
    return (await findInUse(tx)) ?? insertKey(tx, vault, 'in_use');
  });
}

/**
 * Makes the key that takes over once it has been published for a while, unless one is waiting already. No one is signed out: tokens
 * of the key before are believed until they have expired. Returns when the new one will sign.
 * @throws VaultError when the key in use cannot be opened.
 */
export function prepareNextKey(db: Db, vault: Vault): Promise<{ signsFrom: Date }> {
  return db.transaction().execute(async (tx) => {
    await lockKeys(tx);
    const inUse = await findInUse(tx);
    // With another vault's key the next one could be opened by no one who signs.
    if (inUse) vault.open(inUse.sealed_private_jwk, placeOf(inUse.kid));
    const waiting = await tx
      .selectFrom('auth.signing_keys')
      .select('created_at')
      .where('status', '=', 'standby')
      .executeTakeFirst();
    const { created_at: published } = waiting ?? (await insertKey(tx, vault, inUse ? 'standby' : 'in_use'));
    return { signsFrom: new Date(published.getTime() + (inUse ? AUTH_LIFETIMES.keyPublishedMs : 0)) };
  });
}

/**
 * For a key that others may have. No older key is trusted any more, a new one signs, and every session ends.
 * Other processes sign with it within `REVOKED_NOTICED_MS`: what they begin until then is to be ended by `endAllSessions`.
 */
export function revokeKeys(db: Db, vault: Vault): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await lockKeys(tx);
    await tx
      .updateTable('auth.signing_keys')
      .set({ status: 'revoked', retired_at: sql<Date>`now()` })
      .where('status', '<>', 'revoked')
      .execute();
    await insertKey(tx, vault, 'in_use');
    await endAllSessions(tx);
  });
}

export async function endAllSessions(db: Db): Promise<void> {
  await db.deleteFrom('auth.sessions').execute();
}

/** Lets the next key take over when its time has come. Of several processes, one does it. */
async function promoteNext(db: Db): Promise<void> {
  const due = (on: Db) =>
    on
      .selectFrom('auth.signing_keys')
      .select('kid')
      .where('status', '=', 'standby')
      .where('created_at', '<=', sql<Date>`now() - ${AUTH_LIFETIMES.keyPublishedMs} * interval '1 millisecond'`)
      .executeTakeFirst();
  if (!(await due(db))) return;
  await db.transaction().execute(async (tx) => {
    await lockKeys(tx);
    const next = await due(tx);
    if (!next) return;
    await tx
      .updateTable('auth.signing_keys')
      .set({ status: 'previously_used', retired_at: sql<Date>`now()` })
      .where('status', '=', 'in_use')
      .execute();
    await tx.updateTable('auth.signing_keys').set({ status: 'in_use' }).where('kid', '=', next.kid).execute();
  });
}

const lockKeys = (tx: Tx) => sql`select pg_advisory_xact_lock(${KEYS_LOCK}::bigint)`.execute(tx);

async function insertKey(tx: Tx, vault: Vault, status: 'in_use' | 'standby') {
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
      status,
    })
    .returning(['kid', 'sealed_private_jwk', 'created_at'])
    .executeTakeFirstOrThrow();
}

const placeOf = (kid: string) => `signing_keys.sealed_private_jwk:${kid}`;
