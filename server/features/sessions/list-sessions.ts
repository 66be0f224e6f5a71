import { sql } from 'kysely';
import type { DataOf } from '#contract/endpoint.ts';
import type { listSessions as endpoint } from '#contract/sessions.ts';
import type { Ctx } from '#server/http/context.ts';
import { deviceName } from './device-name.ts';

/** Where the caller is signed in. Sessions that have run out are not told. */
export async function listSessions({ deps, user }: Ctx): Promise<DataOf<typeof endpoint>> {
  const rows = await deps.db
    .selectFrom('auth.sessions')
    .select(['id', 'user_agent', 'created_at'])
    .select([
      // host(): an inet is written with its netmask otherwise.
      sql<string | null>`host(ip)`.as('ip'),
      sql<Date>`coalesce(refreshed_at, created_at)`.as('last_used_at'),
      sql<boolean>`id = ${user.sessionId}::uuid`.as('is_current'),
    ])
    .where('user_id', '=', user.userId)
    .where((where) => where.or([where('not_after', 'is', null), where('not_after', '>', sql<Date>`now()`)]))
    .orderBy('is_current', 'desc')
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .execute();
  const sessions = rows.map((row) => ({
    id: row.id,
    device: deviceName(row.user_agent),
    ip: row.ip,
    signedInAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at.toISOString(),
    isCurrent: row.is_current,
  }));
  return { sessions };
}
