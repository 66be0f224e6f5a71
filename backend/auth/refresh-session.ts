import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { Tx } from '#db/tx.ts';
import { AuthError } from './auth-error.ts';
import { refuseBanned } from './banned.ts';
import type { AuthContext, Caller } from './context.ts';
import { AUTH_LIFETIMES } from './limits.ts';
import { mirroredRole } from './open-session.ts';
import { childOf, type RefreshTokenRow, spend } from './refresh-tokens.ts';
import { refuse } from './refuse.ts';
import { hashOfToken } from './secrets.ts';
import { type OpenedSession, type SessionAnswer, sessionAnswer } from './session-answer.ts';
import { findBelongings, type UserRow } from './users.ts';

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
  const { db, vault } = context;
  const hash = hashOfToken(refreshToken);
  const holder = await findHolder(db, hash);
  if (!holder) throw notFound();
  refuseBanned(holder.user);
  // Asked before anything is locked: the gate may have to wait for somebody else's answer.
  const decision = await context.gate.decideToStay(holder.email);
  if (!decision.allow) throw await refuse(context, decision, { email: holder.email, at: 'refresh', ip });
  const signing = await context.signingKeys.current();
  const next = (await spend(db, vault, holder.token)) ?? (await nextOfSpent(context, hash, ip));
  const user = holder.mirrored ? holder.user : await mirrorRole(db, holder);
  return sessionAnswer({ ...next, user, ...(await findBelongings(db, user.id)) }, signing, context.issuer);
}

/** `email` and `role` are the profile's; `mirrored`: the user has that role already. */
type Holder = {
  user: UserRow;
  token: Pick<RefreshTokenRow, 'id' | 'session_id'>;
  email: string;
  role: 'user' | 'admin';
  mirrored: boolean;
};

async function findHolder(db: Db, hash: Buffer): Promise<Holder | undefined> {
  const row = await db
    .selectFrom('auth.refresh_tokens as token')
    .innerJoin('auth.sessions as session', 'session.id', 'token.session_id')
    .innerJoin('app.profiles as profile', 'profile.user_id', 'session.user_id')
    .innerJoin('auth.users as user', 'user.id', 'session.user_id')
    .selectAll('user')
    .select([
      'token.id as token_id',
      'token.session_id',
      'profile.email as profile_email',
      'profile.role as profile_role',
    ])
    .select(
      sql<boolean>`raw_app_meta_data @> jsonb_build_object('role', profile.role)
        and raw_user_meta_data @> jsonb_build_object('role', profile.role)`.as('mirrored'),
    )
    .where('token.token_hash', '=', hash)
    .executeTakeFirst();
  if (!row) return undefined;
  const { token_id, session_id, profile_email: email, profile_role, mirrored, ...user } = row;
  return {
    user,
    token: { id: token_id, session_id },
    email,
    role: profile_role === 'admin' ? 'admin' : 'user',
    mirrored,
  };
}

const mirrorRole = (db: Db, { user, role }: Holder): Promise<UserRow> =>
  db
    .updateTable('auth.users')
    .set({ ...mirroredRole(role), updated_at: sql<Date>`now()` })
    .where('id', '=', user.id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** What a token that is spent already was spent for, if it comes back soon. Throws AuthError: see above. */
async function nextOfSpent(context: AuthContext, hash: Buffer, ip: string): Promise<Next> {
  const next = await context.db.transaction().execute((tx) => lookAtSpent(context, tx, hash, ip));
  if (next instanceof AuthError) throw next;
  return next;
}

type Next = Pick<OpenedSession, 'session' | 'refreshToken'>;

/** Answers errors instead of throwing them: a throw would undo that the session is ended. */
async function lookAtSpent(context: AuthContext, tx: Tx, hash: Buffer, ip: string): Promise<Next | AuthError> {
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
  const refreshToken = childOf(context.vault, parent);
  return refreshToken === undefined ? notFound() : { session, refreshToken };
}

const notFound = () => new AuthError(400, 'refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found');
