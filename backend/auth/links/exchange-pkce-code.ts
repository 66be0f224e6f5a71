import { sql } from 'kysely';
import { askedWith } from '#backend/auth/asking/challenges.ts';
import { AuthError } from '#backend/auth/kit/auth-error.ts';
import type { Caller } from '#backend/auth/kit/caller.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { AUTH_LIFETIMES } from '#backend/auth/kit/limits.ts';
import { refuse } from '#backend/auth/kit/refuse.ts';
import { hashOfToken } from '#backend/auth/kit/secrets.ts';
import { keepSaid } from '#backend/auth/people/metadata.ts';
import { lockUser } from '#backend/auth/people/users.ts';
import { type Decided, decideFirst, type Opening, openSession } from '#backend/auth/sessions/open-session.ts';
import { type SessionAnswer, sessionAnswer } from '#backend/auth/sessions/session-answer.ts';
import type { Tx } from '#db/connection/tx.ts';

/**
 * The second half of a PKCE sign-in: what the link brought, with the verifier that only the browser that asked holds. A code is
 * spent by any try.
 * @throws AuthError `flow_state_not_found`, `flow_state_expired`, `bad_code_verifier`, 403 of the gate.
 */
export async function exchangePkceCode(
  context: AuthContext,
  input: { authCode: string; verifier: string },
  caller: Caller,
): Promise<SessionAnswer> {
  const signing = await context.signingKeys.current();
  const owner = await context.db
    .selectFrom('auth.flow_state as flow')
    .innerJoin('auth.users as user', 'user.id', 'flow.user_id')
    .select('user.email')
    .where('flow.auth_code_hash', '=', hashOfToken(input.authCode))
    .executeTakeFirst();
  if (!owner) throw notFound();
  const decided = await decideFirst(context.gate, owner);
  const opened = await context.db.transaction().execute((tx) => take(context, tx, input, decided, caller));
  if (opened.state === 'refused') throw opened.error;
  if (opened.state === 'denied')
    throw await refuse(context, opened.denial, { email: decided.email, at: 'sign_in', ip: caller.ip });
  return sessionAnswer(opened.session, signing);
}

/** Returns errors instead of throwing them: a throw would undo spending the code. */
async function take(
  context: AuthContext,
  tx: Tx,
  { authCode, verifier }: { authCode: string; verifier: string },
  decided: Decided,
  caller: Caller,
): Promise<Opening | { state: 'refused'; error: AuthError }> {
  const hash = hashOfToken(authCode);
  const begun = await tx
    .selectFrom('auth.flow_state')
    .select('user_id')
    .where('auth_code_hash', '=', hash)
    .executeTakeFirst();
  const user = begun && (await lockUser(tx, begun.user_id));
  if (!user) return refusedBy(notFound());
  const flow = await tx
    .selectFrom('auth.flow_state')
    .select([
      'id',
      'code_challenge',
      'user_metadata',
      sql<boolean>`auth_code_issued_at < now() - ${AUTH_LIFETIMES.authCodeMs} * interval '1 millisecond'`.as('expired'),
    ])
    .where('auth_code_hash', '=', hash)
    .executeTakeFirst();
  if (!flow) return refusedBy(notFound());
  const asked = await askedWith(tx, flow, verifier);
  // Its mail outlives the flow: after a failed exchange the code of the mail still works.
  const mail = await tx
    .updateTable('auth.one_time_tokens')
    .set({ flow_state_id: null })
    .where('flow_state_id', '=', flow.id)
    .returning('id')
    .executeTakeFirst();
  await tx.deleteFrom('auth.flow_state').where('id', '=', flow.id).execute();
  if (flow.expired)
    return refusedBy(new AuthError(403, 'flow_state_expired', 'invalid flow state, flow state has expired'));
  if (!asked)
    return refusedBy(
      new AuthError(400, 'bad_code_verifier', 'code challenge does not match previously saved code verifier'),
    );
  if (mail) await tx.deleteFrom('auth.one_time_tokens').where('id', '=', mail.id).execute();
  return openSession(tx, context, await keepSaid(tx, user, asked.metadata), decided, { ...caller, way: 'link' });
}

const refusedBy = (error: AuthError) => ({ state: 'refused', error }) as const;
const notFound = () => new AuthError(404, 'flow_state_not_found', 'invalid flow state, no valid flow state found');
