import { sql } from 'kysely';
import { CRM_OAUTH_CALLBACK_PATH } from '#contract/admin/crm.ts';
import { crmPlace, findCrmRow } from '#server/crm/connection.ts';
import type { Ctx } from '#server/http/context.ts';
import { AppError } from '#server/lib/app-error.ts';
import { hashOfSecret, newSecret, OAUTH_STATE_MS } from './oauth-state.ts';

/**
 * Begins to connect.
 * The state works once, for ten minutes, for this session, and only in the browser that holds `browserSecret`.
 * @throws CONFLICT until credentials are saved.
 */
export async function startOauth({ deps, user }: Ctx): Promise<{ authorizeUrl: string; browserSecret: string }> {
  const { db, vault, providers, siteUrl } = deps;
  const row = await findCrmRow(db);
  if (!row?.client_id || !row.sealed_client_secret) throw new AppError('CONFLICT', 'Configure credentials first');
  const state = newSecret();
  const browserSecret = newSecret();
  await db.deleteFrom('app.crm_oauth_states').where('expires_at', '<', sql<Date>`now()`).execute();
  await db
    .insertInto('app.crm_oauth_states')
    .values({
      state_hash: hashOfSecret(state),
      browser_hash: hashOfSecret(browserSecret),
      user_id: user.userId,
      session_id: user.sessionId,
      client_id: row.client_id,
      expires_at: sql<Date>`now() + ${OAUTH_STATE_MS} * interval '1 millisecond'`,
    })
    .execute();
  const crm = providers.crm({
    clientId: row.client_id,
    clientSecret: vault.open(row.sealed_client_secret, crmPlace('sealed_client_secret')),
  });
  return {
    authorizeUrl: crm.authorizeUrl({ redirectUri: `${siteUrl}${CRM_OAUTH_CALLBACK_PATH}`, state }),
    browserSecret,
  };
}
