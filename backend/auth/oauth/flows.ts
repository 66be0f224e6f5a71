import { type Selectable, sql } from 'kysely';
import { AuthError } from '#backend/auth/kit/auth-error.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { AUTH_LIFETIMES } from '#backend/auth/kit/limits.ts';
import { hashOfToken, newToken } from '#backend/auth/kit/secrets.ts';
import { answersChallenge, type PkceChallenge } from '#backend/auth/links/pkce.ts';
import type { Vault } from '#db/sealed/vault.ts';
import type { DB } from '#db/types.gen.ts';
import { ExternalIdentity } from './external-identity.ts';

export type FlowRow = Selectable<DB['auth.oauth_flows']>;

/** A sign-in at a provider, or the linking of an identity in a session. */
export type NewFlow = {
  provider: string;
  /** An allowed address. */
  redirectTo: string;
  challenge: PkceChallenge | undefined;
  /** The session that links. Needs a challenge. */
  sessionId?: string;
};

/** Begins a flow. Returns its state, which only who is sent to the provider knows, and which works once. */
export async function beginFlow({ db }: AuthContext, flow: NewFlow): Promise<string> {
  const state = newToken();
  await db
    .insertInto('auth.oauth_flows')
    .values({
      provider: flow.provider,
      state_hash: hashOfToken(state),
      redirect_to: flow.redirectTo,
      code_challenge: flow.challenge?.challenge ?? null,
      code_challenge_method: flow.challenge?.method ?? null,
      session_id: flow.sessionId ?? null,
    })
    .execute();
  return state;
}

/** What a provider must answer a flow with, and be told: made of the state, so that nothing has to be kept. */
export const secretsOf = (vault: Vault, state: string) => ({
  nonce: vault.fingerprint(`oauth nonce:${state}`),
  verifier: vault.fingerprint(`oauth verifier:${state}`),
});

/**
 * The flow of a state, which is spent.
 * @throws AuthError 400 `bad_oauth_state`.
 */
export async function takeFlow({ db }: AuthContext, state: string | undefined): Promise<FlowRow> {
  if (!state) throw new AuthError(400, 'bad_oauth_state', 'OAuth state parameter missing');
  const flow = await db
    .updateTable('auth.oauth_flows')
    .set({ state_hash: null })
    .where('state_hash', '=', hashOfToken(state))
    .where('created_at', '>', sql<Date>`now() - ${AUTH_LIFETIMES.oauthStateMs} * interval '1 millisecond'`)
    .returningAll()
    .executeTakeFirst();
  if (!flow) throw new AuthError(400, 'bad_oauth_state', 'OAuth state is invalid, was used already, or has expired');
  return flow;
}

/** Keeps who it is until the browser that began the flow comes for it with the code that is answered. */
export async function issueAuthCode({ db }: AuthContext, flowId: string, identity: ExternalIdentity): Promise<string> {
  const authCode = newToken();
  await db
    .updateTable('auth.oauth_flows')
    .set({
      auth_code_hash: hashOfToken(authCode),
      auth_code_issued_at: sql<Date>`now()`,
      identity: JSON.stringify(identity),
    })
    .where('id', '=', flowId)
    .execute();
  return authCode;
}

/**
 * Who it is that a flow's code stands for, and the session that links them. A code is spent by any try. Returns undefined for a code that
 * is not of this table.
 * @throws AuthError 403 `flow_state_expired`, 400 `bad_code_verifier`.
 */
export async function spendAuthCode(
  { db }: AuthContext,
  authCode: string,
  verifier: string,
): Promise<{ identity: ExternalIdentity; sessionId: string | null } | undefined> {
  const flow = await db
    .deleteFrom('auth.oauth_flows')
    .where('auth_code_hash', '=', hashOfToken(authCode))
    .returningAll()
    .returning(
      sql<boolean>`auth_code_issued_at < now() - ${AUTH_LIFETIMES.authCodeMs} * interval '1 millisecond'`.as('expired'),
    )
    .executeTakeFirst();
  if (!flow) return undefined;
  if (flow.expired) throw new AuthError(403, 'flow_state_expired', 'invalid flow state, flow state has expired');
  if (!answersChallenge(flow.code_challenge ?? '', verifier))
    throw new AuthError(400, 'bad_code_verifier', 'code challenge does not match previously saved code verifier');
  return { identity: ExternalIdentity.parse(flow.identity), sessionId: flow.session_id };
}
