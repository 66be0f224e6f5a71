import { sql } from 'kysely';
import { CRM_OAUTH_CALLBACK_PATH, type CrmConnectFailure } from '#contract/admin/crm.ts';
import type { Db } from '#db/connection/client.ts';
import { type CrmTokens, ProviderError } from '#providers/provider.ts';
import type { Accounts } from '#server/accounts/accounts.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import { accountOf, crmPlace, findCrmRow, lockCrmRow, sealTokens } from '#server/crm/connection.ts';
import type { Ctx, CurrentUser, PublicCtx } from '#server/http/context.ts';
import { forgetAccount } from './forget-account.ts';
import { hashOfSecret } from './oauth-state.ts';
import { recordFailedConnect } from './record-failed-connect.ts';

/** What the CRM's screen sent back, and the cookie of the browser that it came with. */
export type OauthAnswer = { state: string; code: string; browserSecret: string };

/** Ends what start-oauth began: spends state and code, and stores the tokens. What fails is written to the audit log. */
export async function finishOauth(ctx: PublicCtx, answer: OauthAnswer): Promise<'connected' | CrmConnectFailure> {
  const begun = await spendState(ctx.deps.db, answer.state);
  const user = begun && (await whoBegan(ctx.deps.accounts, begun, answer.browserSecret));
  const outcome = await outcomeOf(ctx, begun, user, answer.code);
  if (outcome === 'connected') return outcome;
  ctx.log.info({ outcome }, 'the CRM was not connected');
  await recordFailedConnect(ctx, user, outcome);
  return outcome;
}

type Begun = { user_id: string; session_id: string; browser_hash: Buffer; client_id: string };

/** Anyone who names a state first has used it, whatever comes of it. */
async function spendState(db: Db, state: string): Promise<Begun | undefined> {
  const row = await db
    .deleteFrom('app.crm_oauth_states')
    .where('state_hash', '=', hashOfSecret(state))
    .returning(['user_id', 'session_id', 'browser_hash', 'client_id', sql<boolean>`expires_at > now()`.as('live')])
    .executeTakeFirst();
  return row?.live ? row : undefined;
}

/** The administrator who began, if it is their browser and their session still lives. */
async function whoBegan(accounts: Accounts, begun: Begun, browserSecret: string): Promise<CurrentUser | undefined> {
  if (!hashOfSecret(browserSecret).equals(begun.browser_hash)) return undefined;
  const session = await accounts.findSession({ userId: begun.user_id, sessionId: begun.session_id, email: '' });
  if (session?.userId !== begun.user_id || session.status !== 'active' || session.role !== 'admin') return undefined;
  return {
    userId: session.userId,
    sessionId: begun.session_id,
    email: session.email,
    role: 'admin',
    aal: 'aal1',
    isFresh: true,
  };
}

async function outcomeOf(
  ctx: PublicCtx,
  begun: Begun | undefined,
  user: CurrentUser | undefined,
  code: string,
): Promise<'connected' | CrmConnectFailure> {
  if (!begun) return 'expired';
  return user ? connect({ ...ctx, user }, code, begun.client_id) : 'session';
}

async function connect(ctx: Ctx, code: string, clientId: string): Promise<'connected' | CrmConnectFailure> {
  const { db, vault, providers, siteUrl } = ctx.deps;
  if (!code) return 'denied';
  const row = await findCrmRow(db);
  if (row?.client_id !== clientId || !row.sealed_client_secret) return 'credentials';
  const clientSecret = vault.open(row.sealed_client_secret, crmPlace('sealed_client_secret'));
  let tokens: CrmTokens;
  try {
    const redirectUri = `${siteUrl}${CRM_OAUTH_CALLBACK_PATH}`;
    tokens = await providers.crm({ clientId, clientSecret }).exchangeCode({ code, redirectUri });
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    ctx.log.warn({ err: error }, 'the CRM refused the code');
    return error.kind === 'bad_credentials' || error.kind === 'bad_configuration' ? 'refused' : 'unreachable';
  }
  return db.transaction().execute(async (tx) => {
    const now = await lockCrmRow(tx);
    if (now?.sealed_client_secret !== row.sealed_client_secret) return 'credentials';
    const account = accountOf(tokens, now.sandbox);
    const isAnother = account === null || account !== now.account;
    await tx
      .updateTable('app.crm_connection')
      .set({
        ...sealTokens(vault, tokens),
        connected_at: sql<Date>`now()`,
        account,
        ...(isAnother ? { account_since: sql<Date>`now()` } : {}),
      })
      .execute();
    if (isAnother) await forgetAccount(tx);
    await writeAudit(tx, ctx, {
      action: 'crm.connected',
      target: 'keap',
      details: { sandbox: now.sandbox, another_account: isAnother },
    });
    return 'connected';
  });
}
