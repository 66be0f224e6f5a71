import type { Selectable } from 'kysely';
import type { Invitation } from '#contract/admin/users.ts';
import type { Db } from '#db/connection/client.ts';
import type { DB } from '#db/types.gen.ts';

/** How long an invitation can be accepted. */
export const INVITATION_DAYS = 7;

/** Invitations that were neither accepted nor withdrawn; some may have run out. */
export const openInvitations = (db: Db) =>
  db.selectFrom('app.invitations').where('accepted_at', 'is', null).where('withdrawn_at', 'is', null);

export const toInvitation = (row: Selectable<DB['app.invitations']>): Invitation => ({
  id: row.id,
  email: row.email,
  role: row.role === 'admin' ? 'admin' : 'user',
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
});
