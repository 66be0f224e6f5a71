import type { VerifiedToken } from '#backend/data/caller.ts';
import { findLiveSessions } from '#db/sessions.ts';
import type { RealtimeOptions } from './options.ts';

/** The ids of those sessions that still open something: they live, their people are active, and no second step is left to prove. */
export async function findGoodSessions(
  { db, pool }: Pick<RealtimeOptions, 'db' | 'pool'>,
  callers: readonly VerifiedToken[],
): Promise<Set<string>> {
  if (callers.length === 0) return new Set();
  const living = await findLiveSessions(db, [...new Set(callers.map(({ sessionId }) => sessionId))]);
  const unproven = callers.filter(({ claims }) => claims.aal !== 'aal2');
  const { rows } = await pool.query<{ id: string }>(
    'select id from unnest($1::uuid[]) as id where app.needs_second_step(id)',
    [[...new Set(unproven.map(({ userId }) => userId))]],
  );
  const asked = new Set(rows.map(({ id }) => id));
  const closed = unproven.filter(({ userId }) => asked.has(userId));
  for (const { sessionId } of closed) living.delete(sessionId);
  return living;
}
