import { sql } from 'kysely';
import { sessionNotFound } from '#backend/auth/kit/auth-error.ts';
import { findBelongings } from '#backend/auth/people/users.ts';
import { firstRefreshToken, spend } from '#backend/auth/sessions/refresh-tokens.ts';
import type { OpenedSession, SessionRow } from '#backend/auth/sessions/session-answer.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { Vault } from '#db/sealed/vault.ts';

/** Locks all sessions of a person, in one order, before anything else of theirs: refreshing begins with its session too. */
export const lockSessions = (tx: Tx, userId: string): Promise<SessionRow[]> =>
  tx.selectFrom('auth.sessions').selectAll().where('user_id', '=', userId).orderBy('id').forUpdate().execute();

/**
 * The same, and returns the one that asks.
 * @throws AuthError 403 `session_not_found` when it has ended meanwhile.
 */
export async function lockSession(
  tx: Tx,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<SessionRow> {
  const current = (await lockSessions(tx, userId)).find(({ id }) => id === sessionId);
  if (!current) throw sessionNotFound();
  return current;
}

/** How a second step was proven, as `amr` names it, and by which factor; null for a recovery code. */
export type Proven = { method: string; factorId: string | null };

/** Raises a session to aal2 by what was proven, with the next refresh token; the person's others that are not there end. All must be locked. */
export async function stepUp(
  tx: Tx,
  vault: Vault,
  session: SessionRow,
  { method, factorId }: Proven,
): Promise<OpenedSession> {
  const proven = { method, timestamp: Math.floor(Date.now() / 1000) };
  const before = (Array.isArray(session.amr) ? session.amr : []).filter((one) => !isMethod(one, method));
  const raised = await tx
    .updateTable('auth.sessions')
    .set({
      aal: 'aal2',
      factor_id: factorId,
      proven_at: sql<Date>`now()`,
      amr: JSON.stringify([proven, ...before]),
      refreshed_at: sql<Date>`now()`,
    })
    .where('id', '=', session.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await tx.deleteFrom('auth.sessions').where('user_id', '=', session.user_id).where('aal', '=', 'aal1').execute();
  const user = await tx
    .updateTable('auth.users')
    .set({ updated_at: sql<Date>`now()` })
    .where('id', '=', session.user_id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return {
    session: raised,
    user,
    ...(await findBelongings(tx, user.id)),
    refreshToken: await nextRefreshToken(tx, vault, session.id),
  };
}

const isMethod = (entry: unknown, method: string) =>
  typeof entry === 'object' && entry !== null && 'method' in entry && entry.method === method;

/** Spends the token that the session would be continued with. */
export async function nextRefreshToken(tx: Tx, vault: Vault, sessionId: string): Promise<string> {
  const unspent = await tx
    .selectFrom('auth.refresh_tokens')
    .select('id')
    .where('session_id', '=', sessionId)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  const spent = unspent && (await spend(tx, vault, unspent.id));
  return spent?.refreshToken ?? firstRefreshToken(tx, sessionId);
}
