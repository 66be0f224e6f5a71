import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import { KEPT } from '#db/connection/kept-statements.ts';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Who a session belongs to. Look at two things before it opens anything:
 * - `status`: a disabled (or banned) person keeps sessions, and may do nothing with them.
 * - `needsSecondStep`: only a token at aal2 opens anything.
 */
export type LiveSession = {
  userId: string;
  email: string;
  role: 'user' | 'admin';
  status: 'active' | 'disabled';
  needsSecondStep: boolean;
  /** Whether the person has signed in, or shown again that it is them, within the last FRESH_PROOF_MINUTES. */
  isFresh: boolean;
};

/** When a session ends by itself, as SQL. `table`: the name of `auth.sessions` in the statement. */
export const sessionEndsAt = (table: string) =>
  sql<Date>`auth.session_ends_at(${sql.ref(`${table}.created_at`)}, ${sql.ref(`${table}.refreshed_at`)}, ${sql.ref(`${table}.not_after`)})`;

/** How long a sign-in, or another proof of who someone is, opens what takes an account over. */
export const FRESH_PROOF_MINUTES = 15;

/** Whether the person of that id must prove a second step, as SQL. */
export const needsSecondStep = (userId: string) => sql<boolean>`app.needs_second_step(${sql.ref(userId)})`;

/** The session of an access token's `session_id`, unless it was ended or has run out. One query, for every request. */
export async function findSession(db: Db, sessionId: string): Promise<LiveSession | undefined> {
  if (!UUID.test(sessionId)) return undefined;
  const row = await sessions(db)
    .modifyFront(KEPT)
    .select(['profile.user_id', 'profile.email', 'profile.role', 'profile.status'])
    .select([BANNED.as('banned'), needsSecondStep('profile.user_id').as('needs_second_step'), FRESH.as('fresh')])
    .where('session.id', '=', sessionId)
    .executeTakeFirst();
  if (!row) return undefined;
  return {
    userId: row.user_id,
    email: row.email,
    role: row.role === 'admin' ? 'admin' : 'user',
    status: row.status === 'active' && !row.banned ? 'active' : 'disabled',
    needsSecondStep: row.needs_second_step,
    isFresh: row.fresh,
  };
}

/** Those of some sessions that still live and belong to someone active. */
export async function findLiveSessions(db: Db, sessionIds: readonly string[]): Promise<Set<string>> {
  const rows = await sessions(db)
    .select('session.id')
    .where('session.id', '=', sql<string>`any(${sessionIds}::uuid[])`)
    .where('profile.status', '=', 'active')
    .where(sql<boolean>`not ${BANNED}`)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Takes from `living` those sessions whose people have to prove a second step, and have not in them; returns what is left. */
export async function keepProven(
  db: Db,
  living: Set<string>,
  sessions: readonly { userId: string; sessionId: string; aal: string }[],
): Promise<Set<string>> {
  const unproven = sessions.filter(({ aal }) => aal !== 'aal2');
  if (unproven.length === 0) return living;
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${[...new Set(unproven.map(({ userId }) => userId))]}::uuid[]) as id
    where app.needs_second_step(id)`.execute(db);
  const asked = new Set(rows.map(({ id }) => id));
  for (const { userId, sessionId } of unproven) if (asked.has(userId)) living.delete(sessionId);
  return living;
}

const FRESH = sql<boolean>`
  coalesce(session.proven_at, session.created_at) > now() - ${FRESH_PROOF_MINUTES} * interval '1 minute'`;

const BANNED = sql<boolean>`coalesce("user".banned_until > now(), false)`;

/** Sessions that were neither ended nor have run out, with their people. */
const sessions = (db: Db) =>
  db
    .selectFrom('auth.sessions as session')
    .innerJoin('app.profiles as profile', 'profile.user_id', 'session.user_id')
    .innerJoin('auth.users as user', 'user.id', 'session.user_id')
    .where(sql<boolean>`${sessionEndsAt('session')} > now()`);
