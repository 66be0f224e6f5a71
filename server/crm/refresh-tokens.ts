import type { Logger } from 'pino';
import type { Db } from '#db/connection/client.ts';
import { isDatabaseGone } from '#db/connection/database-gone.ts';
import type { Vault } from '#db/sealed/vault.ts';
import { type CrmTokens, ProviderError } from '#providers/provider.ts';
import type { Providers } from '#providers/registry.ts';
import { throughOutage } from '#server/lib/through-outage.ts';
import { accountOf, type CrmConnection, lockCrmRow, openCrmConnection, sealTokens } from './connection.ts';
import { connectionExpired, notConnected } from './crm-errors.ts';

export type CrmDeps = { db: Db; vault: Vault; providers: Providers; log: Logger };

/**
 * Replaces the tokens of the connection, unless someone else has replaced `seenToken` already.
 * A refresh token works once, so the row stays locked until the new one is stored: others wait, and find it.
 * @throws ProviderError, and CONFLICT when nothing is connected.
 * @throws PROVIDER_BAD_CREDENTIALS when the refresh token is refused, which is remembered.
 */
export async function refreshTokens(deps: CrmDeps, seenToken: string): Promise<CrmConnection> {
  const { db, vault, providers, log } = deps;
  let rotated: Rotated | undefined;
  const replace = async (tx: Db): Promise<CrmConnection | 'refused'> => {
    const row = await lockCrmRow(tx);
    const connection = openCrmConnection(vault, row);
    if (!row?.sealed_refresh_token || !connection) throw notConnected();
    if (connection.accessToken !== seenToken) return connection;
    if (connection.refused) return 'refused';
    try {
      const tokens = await providers.crm(connection).refresh(connection.refreshToken);
      // A connection of an earlier version learns its account, so that it is known when someone connects again.
      rotated = { before: row.sealed_refresh_token, tokens, account: row.account ?? accountOf(tokens, row.sandbox) };
    } catch (error) {
      if (!(error instanceof ProviderError && error.kind === 'bad_credentials')) throw error;
      log.warn({ err: error }, 'the CRM refused the refresh token: an administrator must connect it again');
      await tx.updateTable('app.crm_connection').set({ refresh_refused_at: new Date() }).execute();
      return 'refused';
    }
    return store(tx, vault, rotated);
  };
  try {
    const connection = await db.transaction().execute(replace);
    if (connection === 'refused') throw connectionExpired();
    return connection;
  } catch (error) {
    if (!rotated || !isDatabaseGone(error)) throw error;
    // The old token is spent: what is not stored now is lost for good.
    const kept = rotated;
    return throughOutage(() => store(db, vault, kept));
  }
}

/** Tokens for the sealed one of `before`. */
type Rotated = { before: string; tokens: CrmTokens; account: string | null };

/** Stores new tokens in the place of those they were given for; what has replaced these in the meantime stays. */
async function store(on: Db, vault: Vault, { before, tokens, account }: Rotated): Promise<CrmConnection> {
  await on
    .updateTable('app.crm_connection')
    .set({ ...sealTokens(vault, tokens), account })
    .where('sealed_refresh_token', '=', before)
    .execute();
  const connection = openCrmConnection(vault, await lockCrmRow(on));
  if (!connection) throw notConnected();
  return connection;
}
