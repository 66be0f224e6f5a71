import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import type { Vault } from '#db/sealed/vault.ts';
import type { DB } from '#db/types.gen.ts';
import type { CrmTokens } from '#providers/provider.ts';

type Row = Selectable<DB['app.crm_connection']>;

/** The one connection to the CRM, opened. `refused`: its refresh token was, so that it ends with the access token. */
export type CrmConnection = {
  clientId: string;
  clientSecret: string;
  accessToken: string;
  refreshToken: string;
  expiresAt: Date;
  connectedAt: Date;
  refreshedAt: Date;
  refused: boolean;
};

/** Where a sealed text of the connection belongs: in another column it does not open. */
export const crmPlace = (column: 'sealed_client_secret' | 'sealed_access_token' | 'sealed_refresh_token'): string =>
  `crm_connection.${column}`;

export const findCrmRow = (db: Db): Promise<Row | undefined> =>
  db.selectFrom('app.crm_connection').selectAll().executeTakeFirst();

/** Until the transaction ends no one else refreshes, connects or disconnects. */
export const lockCrmRow = (tx: Db): Promise<Row | undefined> =>
  tx.selectFrom('app.crm_connection').selectAll().forUpdate().executeTakeFirst();

/**
 * Undefined while no CRM is connected.
 * @throws VaultError when it cannot be opened.
 */
export function openCrmConnection(vault: Vault, row: Row | undefined): CrmConnection | undefined {
  if (!row?.client_id || !row.sealed_client_secret || !row.sealed_access_token || !row.sealed_refresh_token)
    return undefined;
  if (!row.access_token_expires_at || !row.connected_at || !row.refreshed_at) return undefined;
  return {
    clientId: row.client_id,
    clientSecret: vault.open(row.sealed_client_secret, crmPlace('sealed_client_secret')),
    accessToken: vault.open(row.sealed_access_token, crmPlace('sealed_access_token')),
    refreshToken: vault.open(row.sealed_refresh_token, crmPlace('sealed_refresh_token')),
    expiresAt: row.access_token_expires_at,
    connectedAt: row.connected_at,
    refreshedAt: row.refreshed_at,
    refused: row.refresh_refused_at !== null,
  };
}

/** The columns of tokens that were just given. */
export const sealTokens = (vault: Vault, tokens: CrmTokens) => ({
  sealed_access_token: vault.seal(tokens.accessToken, crmPlace('sealed_access_token')),
  sealed_refresh_token: vault.seal(tokens.refreshToken, crmPlace('sealed_refresh_token')),
  access_token_expires_at: sql<Date>`now() + ${tokens.expiresInSeconds} * interval '1 second'`,
  refreshed_at: sql<Date>`now()`,
  refresh_refused_at: null,
});

/** What the CRM calls the account of tokens, apart for the sandbox. Null where it does not say. */
export const accountOf = ({ account }: CrmTokens, sandbox: boolean): string | null =>
  account ? `${sandbox ? 'sandbox ' : ''}${account}` : null;

/** The columns of no connection. */
export const NO_TOKENS = {
  sealed_access_token: null,
  sealed_refresh_token: null,
  access_token_expires_at: null,
  connected_at: null,
  refreshed_at: null,
  refresh_refused_at: null,
} as const;
