import { sql } from 'kysely';
import { sweepNetworks } from '#backend/auth/asking/networks.ts';
import type { Db } from '#db/connection/client.ts';
import { AUTH_LIFETIMES } from './limits.ts';

/** Deletes what cannot be used any more. Safe at any time, and in several processes at once. */
export async function sweepAuth(db: Db): Promise<void> {
  await sql`delete from auth.one_time_tokens where expires_at < now() - interval '1 day'`.execute(db);
  await sql`delete from auth.sessions where auth.session_ends_at(created_at, refreshed_at, not_after) <= now()`.execute(
    db,
  );
  await sql`delete from auth.mfa_challenges where expires_at < now()`.execute(db);
  // Begun, and given up.
  await sql`delete from auth.mfa_factors where status = 'unverified' and created_at < now() - interval '1 day'`.execute(
    db,
  );
  await sql`delete from auth.flow_state where created_at < now() - interval '1 day'`.execute(db);
  await sweepNetworks(db);
  await sql`delete from auth.oauth_flows where created_at < now() - interval '1 day'`.execute(db);
  // The longest window that anything counts in is an hour.
  await sql`delete from app.rate_limits where window_start < now() - interval '2 hours'`.execute(db);
  await sql`
    delete from auth.signing_keys
    where retired_at < now() - ${AUTH_LIFETIMES.keyRetiredMs} * interval '1 millisecond'`.execute(db);
  // Those in use are younger. By created_at as well, for the sake of its index.
  const usedLongAgo = sql`now() - ${AUTH_LIFETIMES.usedRefreshTokenMs} * interval '1 millisecond'`;
  await sql`delete from auth.refresh_tokens where created_at < ${usedLongAgo} and used_at < ${usedLongAgo}`.execute(db);
  // Who asked for a link and never came. Anyone who did come has a profile.
  await sql`
    delete from auth.users as u
    where u.email_confirmed_at is null and u.invited_at is null and u.created_at < now() - interval '7 days'
      and not exists (select from app.profiles where user_id = u.id)
      and not exists (select from auth.one_time_tokens where user_id = u.id)`.execute(db);
}

const EVERY_MS = 60 * 60 * 1000;

/** Sweeps at most once an hour, when called, in the background. For the requests that leave something behind. */
export function createSweeper(db: Db, onError: (error: unknown) => void): () => void {
  let last = 0;
  return () => {
    if (Date.now() - last < EVERY_MS) return;
    last = Date.now();
    sweepAuth(db).catch(onError);
  };
}
