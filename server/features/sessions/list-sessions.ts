import type { listSessionsEndpoint } from '#contract/access/sessions.ts';
import type { DataOf } from '#contract/endpoint.ts';
import type { Ctx } from '#server/http/context.ts';
import { deviceName } from './device-name.ts';

/** Where the caller is signed in. Sessions that have run out are not told. */
export async function listSessions({ deps, user }: Ctx): Promise<DataOf<typeof listSessionsEndpoint>> {
  const rows = await deps.accounts.listSessions(user);
  const sessions = rows.map((row) => ({
    id: row.id,
    device: deviceName(row.user_agent),
    ip: row.ip,
    signedInAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at.toISOString(),
    endsAt: row.ends_at?.toISOString() ?? null,
    isCurrent: row.is_current,
  }));
  return { sessions };
}
