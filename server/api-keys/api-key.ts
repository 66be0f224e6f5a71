import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { ProviderId } from '#contract/providers.ts';
import { asyncCommit } from '#db/connection/async-commit.ts';
import type { Db } from '#db/connection/client.ts';
import { KEPT } from '#db/connection/kept-statements.ts';
import type { Vault } from '#db/sealed/vault.ts';
import { isSandboxKey } from '#providers/registry.ts';

/** A stored key of a user. `fingerprint` tells keys apart without showing them. */
export type ApiKey = { apiKey: string; fingerprint: string; sandbox: boolean };

/** Where a sealed key belongs: copied to another user or provider it does not open. */
export const keyPlace = (userId: string, provider: string): string => `provider_keys.sealed_key:${userId}:${provider}`;

/**
 * Returns the user's key for `provider`, opened and noted as used just now, or undefined when none is stored.
 * @throws VaultError when it cannot be opened.
 */
export async function openApiKey(
  deps: { db: Db; vault: Vault },
  userId: string,
  provider: ProviderId,
): Promise<ApiKey | undefined> {
  const row = await noting(deps.db, userId, provider).returning(['sealed_key', 'fingerprint']).executeTakeFirst();
  return row && opened(deps.vault, userId, { provider, sealed: row.sealed_key, fingerprint: row.fingerprint });
}

/** A stored key as it was read. */
export type SealedKey = { provider: string; sealed: string; fingerprint: string };

/** The same for keys that are read already. Nothing waits until the use is noted. */
export function openReadKey(
  deps: { db: Db; vault: Vault; log: Pick<Logger, 'warn'> },
  userId: string,
  provider: ProviderId,
  keys: readonly SealedKey[],
): ApiKey | undefined {
  const key = keys.find((one) => one.provider === provider);
  if (!key) return undefined;
  noting(deps.db, userId, provider)
    .execute()
    .catch((error: unknown) => deps.log.warn({ err: error }, 'the use of a key was not noted'));
  return opened(deps.vault, userId, key);
}

const noting = (db: Db, userId: string, provider: ProviderId) =>
  db
    .updateTable('app.provider_keys')
    .set({ last_used_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .where(asyncCommit)
    .modifyEnd(KEPT);

function opened(vault: Vault, userId: string, { provider, sealed, fingerprint }: SealedKey): ApiKey {
  const apiKey = vault.open(sealed, keyPlace(userId, provider));
  return { apiKey, fingerprint, sandbox: isSandboxKey(apiKey) };
}
