import type { VerifiedToken } from '#backend/data/caller.ts';
import { findLiveSessions, keepProven } from '#db/roles/sessions.ts';
import type { RealtimeOptions } from './options.ts';

/** The ids of those sessions that still open something: they live, their people are active, and no second step is left to prove. */
export async function findGoodSessions(
  { db }: Pick<RealtimeOptions, 'db'>,
  callers: readonly VerifiedToken[],
): Promise<Set<string>> {
  if (callers.length === 0) return new Set();
  const living = await findLiveSessions(db, [...new Set(callers.map(({ sessionId }) => sessionId))]);
  const sessions = callers.map(({ userId, sessionId, claims: { aal } }) => ({
    userId,
    sessionId,
    aal: aal === 'aal2' ? aal : 'aal1',
  }));
  return keepProven(db, living, sessions);
}
