import type { listInvitationsEndpoint } from '#contract/admin/users.ts';
import type { DataOf } from '#contract/endpoint.ts';
import type { Ctx } from '#server/http/context.ts';
import { openInvitations, toInvitation } from './invitation.ts';

/** Open invitations, the newest first. */
export async function listInvitations({ deps }: Ctx): Promise<DataOf<typeof listInvitationsEndpoint>> {
  const rows = await openInvitations(deps.db).selectAll().orderBy('created_at', 'desc').execute();
  return { items: rows.map(toInvitation) };
}
