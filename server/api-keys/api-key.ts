import { sql } from 'kysely';
import type { ProviderId } from '#contract/providers.ts';
import { asyncCommit } from '#db/connection/async-commit.ts';
import type { Db } from '#db/connection/client.ts';
import type { Vault } from '#db/sealed/vault.ts';
import { isSandboxKey } from '#providers/registry.ts';

/** A stored key of a user. `fingerprint` tells keys apart without showing them. */
export type ApiKey = { apiKey: string; fingerprint: string; sandbox: boolean };

/** Where a sealed key belongs: copied to another user or provider it does not open. */
export const keyPlace = (userId: string, provider: ProviderId): string =>
  `provider_keys.sealed_key:${userId}:${provider}`;

/**
 * Returns the user's key for `provider`, opened and noted as used just now, or undefined when none is stored.
 * @throws VaultError when it cannot be opened.
 */
export async function openApiKey(
  deps: { db: Db; vault: Vault },
  userId: string,
  provider: ProviderId,
): Promise<ApiKey | undefined> {
  const row = await deps.db
    .updateTable('app.provider_keys')
    .set({ last_used_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .where(asyncCommit)
    .returning(['sealed_key', 'fingerprint'])
    .executeTakeFirst();
  if (!row) return undefined;
  const apiKey = deps.vault.open(row.sealed_key, keyPlace(userId, provider));
  return { apiKey, fingerprint: row.fingerprint, sandbox: isSandboxKey(apiKey) };
}
