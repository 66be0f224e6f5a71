import type pg from 'pg';
import type { LivingSession } from './read-backend.ts';

/** For how long after a move the session of a browser that has not come back is kept, in days. */
const CARRIED_DAYS = 30;

/** Keeps sessions for those who come back with their refresh token, after a move to hosted Supabase. */
export async function carrySessions(client: pg.Client, sessions: readonly LivingSession[]): Promise<void> {
  await client.query(
    `insert into app.carried_sessions (id, user_id, token_hash, user_agent, ip, created_at, last_used_at, ends_at)
     select id, "userId", decode("tokenHash", 'hex'), "userAgent", ip, "createdAt", "lastUsedAt",
       least("endsAt", now() + $2 * interval '1 day')
     from jsonb_to_recordset($1) as session (id uuid, "userId" uuid, "tokenHash" text, "userAgent" text, ip inet,
       "createdAt" timestamptz, "lastUsedAt" timestamptz, "endsAt" timestamptz)`,
    [JSON.stringify(sessions), CARRIED_DAYS],
  );
}
