import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { Tx } from '#db/tx.ts';
import { AuthError } from './auth-error.ts';
import { refuseBanned } from './banned.ts';
import type { AuthContext, Caller } from './context.ts';
import { AUTH_LIFETIMES } from './limits.ts';
import { mirroredRole } from './open-session.ts';
import { childOf, rotate } from './refresh-tokens.ts';
import { refuse } from './refuse.ts';
import { hashOfToken } from './secrets.ts';
import { type OpenedSession, type SessionAnswer, sessionAnswer } from './session-answer.ts';
import { findBelongings } from './users.ts';

/**
 * Spends a refresh token for the next one. Whoever presents it again within seconds gets the same next one; later it is taken for
 * stolen, and the session ends. Throws AuthError: `refresh_token_not_found`, `refresh_token_already_used`, `session_expired`,
 * 403 of the gate or `user_banned`.
 */
export async function refreshSession(
  context: AuthContext,
  refreshToken: string,
  { ip }: Pick<Caller, 'ip'>,
): Promise<SessionAnswer> {
  const hash = hashOfToken(refreshToken);
  const owner = await findOwner(context.db, hash);
  if (!owner) throw notFound();
  refuseBanned(owner);
  // Asked before the transaction: the gate may have to wait for somebody else's answer.
  const decision = await context.gate.decideToStay(owner.email);
  if (!decision.allow) throw await refuse(context, decision, { email: owner.email, at: 'refresh', ip });
  const signing = await context.signingKeys.current();
  const refreshed = await context.db
    .transaction()
    .execute((tx) => refresh(context, tx, { hash, role: owner.role, ip }));
  if (refreshed instanceof AuthError) throw refreshed;
  return sessionAnswer(refreshed, signing, context.issuer);
}

function findOwner(db: Db, hash: Buffer) {
  return db
    .selectFrom('auth.refresh_tokens as token')
    .innerJoin('auth.sessions as session', 'session.id', 'token.session_id')
    .innerJoin('app.profiles as profile', 'profile.user_id', 'session.user_id')
    .innerJoin('auth.users as user', 'user.id', 'session.user_id')
    .select(['profile.email', 'profile.role', 'user.banned_until'])
    .where('token.token_hash', '=', hash)
    .executeTakeFirst();
}

/** Answers errors instead of throwing them: a throw would undo that the session is ended. */
async function refresh(
  context: AuthContext,
  tx: Tx,
  { hash, role, ip }: { hash: Buffer; role: string; ip: string },
): Promise<OpenedSession | AuthError> {
  // Locked first, and the token read in a statement of its own: whoever waited sees what the one before has written.
  const session = await tx
    .selectFrom('auth.sessions')
    .selectAll()
    .where('id', '=', (where) =>
      where.selectFrom('auth.refresh_tokens').select('session_id').where('token_hash', '=', hash),
    )
    .forUpdate()
    .executeTakeFirst();
  if (!session) return notFound();
  const parent = await tx
    .selectFrom('auth.refresh_tokens')
    .selectAll()
    .select(
      sql<boolean>`used_at < clock_timestamp() - ${AUTH_LIFETIMES.refreshReuseMs} * interval '1 millisecond'`.as(
        'stale',
      ),
    )
    .where('token_hash', '=', hash)
    .executeTakeFirst();
  if (!parent) return notFound();
  if (session.not_after && session.not_after.getTime() <= Date.now()) {
    await tx.deleteFrom('auth.sessions').where('id', '=', session.id).execute();
    return new AuthError(400, 'session_expired', 'This session has run out. Please sign in again.');
  }
  if (parent.stale) {
    await tx.deleteFrom('auth.sessions').where('id', '=', session.id).execute();
    await context.onEvent(tx, { type: 'reuse_detected', userId: session.user_id, ip });
    context.log.info(
      { sessionId: session.id, userId: session.user_id },
      'A used refresh token came back: session ended',
    );
    return new AuthError(400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used');
  }

  const child = parent.used_at ? childOf(context.vault, parent) : await rotate(tx, context.vault, parent);
  if (child === undefined) return notFound();
  await tx.updateTable('auth.sessions').set({ refreshed_at: sql<Date>`now()` }).where('id', '=', session.id).execute();
  const user = await tx
    .updateTable('auth.users')
    .set({ ...mirroredRole(role === 'admin' ? 'admin' : 'user'), updated_at: sql<Date>`now()` })
    .where('id', '=', session.user_id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return { session, user, ...(await findBelongings(tx, user.id)), refreshToken: child };
}

const notFound = () => new AuthError(400, 'refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found');
