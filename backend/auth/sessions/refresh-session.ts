import { sql } from 'kysely';
import { AuthError } from '#backend/auth/kit/auth-error.ts';
import type { Caller } from '#backend/auth/kit/caller.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { AUTH_LIFETIMES, AUTH_LIMITS } from '#backend/auth/kit/limits.ts';
import { refuseExcess, triesOf } from '#backend/auth/kit/rate-limit.ts';
import { refuse } from '#backend/auth/kit/refuse.ts';
import { hashOfToken } from '#backend/auth/kit/secrets.ts';
import { refuseBanned } from '#backend/auth/people/banned.ts';
import { findBelongings, type UserRow } from '#backend/auth/people/users.ts';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import { sessionEndsAt } from '#db/roles/sessions.ts';
import type { Standing } from '#db/roles/standing.ts';
import { mirroredRole } from './open-session.ts';
import { childOf, spend } from './refresh-tokens.ts';
import { grantToken, type OpenedSession, type SessionAnswer, sessionAnswer } from './session-answer.ts';

/**
 * Spends a refresh token for the next one. Anyone who presents it again within seconds gets the same next one; later it is taken for
 * stolen, and the session ends. Counts the try.
 * @throws AuthError 429, `refresh_token_not_found`, `refresh_token_already_used`, `session_expired`, 403 of the gate or `user_banned`, of
 * the hook.
 */
export async function refreshSession(
  context: AuthContext,
  refreshToken: string,
  { ip }: Pick<Caller, 'ip'>,
): Promise<SessionAnswer> {
  const { db, vault } = context;
  const hash = hashOfToken(refreshToken);
  const holder = await countAndFindHolder(context, hash, ip);
  if (!holder) throw notFound();
  context.onActor?.(holder.user_id);
  refuseBanned(holder);
  // Before anything is locked, because the gate may have to wait for the CRM.
  const decision = await context.gate.decideToStay(holder.email, holder.standing);
  if (!decision.allow) throw await refuse(context, decision, { email: holder.email, at: 'refresh', ip });
  const signing = await context.signingKeys.current();
  const grant = async (db: Db, opened: OpenedSession) => {
    const user = holder.mirrored ? opened.user : await mirrorRole(db, holder);
    return grantToken(context, { ...opened, user }, { method: 'token_refresh', ip });
  };
  const granted = await spendOrUndo(context, async (db) => {
    const opened = await spend(db, vault, holder.token_id);
    return opened && grant(db, opened);
  });
  return sessionAnswer(granted ?? (await grant(db, await nextOfSpent(context, hash, ip))), signing);
}

/** With a hook that may refuse, in a transaction: the token is not spent for nothing. */
const spendOrUndo = <T>({ db, hooks }: AuthContext, work: (db: Db) => Promise<T>): Promise<T> =>
  hooks.customAccessToken ? db.transaction().execute(work) : work(db);

/** `email` and `role` are the profile's; `mirrored`: the user has that role already; `standing` is for the gate. */
type Holder = {
  token_id: string;
  user_id: string;
  email: string;
  role: string;
  banned_until: Date | null;
  mirrored: boolean;
  standing: Standing;
};
type Begun = { hits: number; resets_in_ms: number } & (Holder | { token_id: null });

/**
 * In one statement, because everyone does this every hour.
 * @throws AuthError 429.
 */
async function countAndFindHolder(
  { db, vault }: Pick<AuthContext, 'db' | 'vault'>,
  hash: Buffer,
  ip: string,
): Promise<Holder | undefined> {
  const [limit] = AUTH_LIMITS.tokens;
  const { bucket, windowMs } = triesOf(vault, limit, { ip });
  const { rows } = await sql<Begun>`
    select * from auth.begin_refresh(${bucket}, ${windowMs}, ${hash})`.execute(db);
  const [begun] = rows;
  if (begun) refuseExcess(limit, { hits: begun.hits, resetsInMs: begun.resets_in_ms });
  return begun && begun.token_id !== null ? begun : undefined;
}

const mirrorRole = (db: Db, { user_id, role }: Holder): Promise<UserRow> =>
  db
    .updateTable('auth.users')
    .set({ ...mirroredRole(role === 'admin' ? 'admin' : 'user'), updated_at: sql<Date>`now()` })
    .where('id', '=', user_id)
    .returningAll()
    .executeTakeFirstOrThrow();

/**
 * What a token that is spent already was spent for, if it comes back soon.
 * @throws AuthError as `refreshSession` does.
 */
async function nextOfSpent(context: AuthContext, hash: Buffer, ip: string): Promise<OpenedSession> {
  const next = await context.db.transaction().execute((tx) => lookAtSpent(context, tx, hash, ip));
  if (next instanceof AuthError) throw next;
  return next;
}

/** Returns errors instead of throwing them: a throw would undo ending the session. */
async function lookAtSpent(context: AuthContext, tx: Tx, hash: Buffer, ip: string): Promise<OpenedSession | AuthError> {
  // Locked first, and the token read in a statement of its own: anyone who waited sees what the one before has written.
  const session = await tx
    .selectFrom('auth.sessions as session')
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
  const over = await howOver(tx, session.id);
  if (over) {
    await tx.deleteFrom('auth.sessions').where('id', '=', session.id).execute();
    const why = over === 'unused' ? ' (Inactivity)' : '';
    return new AuthError(400, 'session_expired', `Invalid Refresh Token: Session Expired${why}`);
  }
  if (parent.stale) {
    await tx.deleteFrom('auth.sessions').where('id', '=', session.id).execute();
    await context.onEvent(tx, { type: 'reuse_detected', userId: session.user_id, ip });
    context.log.info(
      { sessionId: session.id, userId: session.user_id },
      'A used refresh token was presented again: session ended',
    );
    return new AuthError(400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used');
  }
  const refreshToken = childOf(context.vault, parent);
  if (refreshToken === undefined) return notFound();
  const user = await tx
    .selectFrom('auth.users')
    .selectAll()
    .where('id', '=', session.user_id)
    .executeTakeFirstOrThrow();
  return { session, refreshToken, user, ...(await findBelongings(tx, user.id)) };
}

/** Whether a session has ended by itself: because it is too old, or because no one has used it. The session must be locked. */
async function howOver(tx: Tx, sessionId: string): Promise<'old' | 'unused' | undefined> {
  const { over, young } = await tx
    .selectFrom('auth.sessions as session')
    .select([
      sql<boolean>`${sessionEndsAt('session')} <= now()`.as('over'),
      // As if it had been used just now.
      sql<boolean>`auth.session_ends_at(created_at, now(), not_after) > now()`.as('young'),
    ])
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow();
  if (!over) return undefined;
  return young ? 'unused' : 'old';
}

const notFound = () => new AuthError(400, 'refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found');
