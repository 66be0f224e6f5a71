import { sql } from 'kysely';
import type { z } from 'zod/mini';
import type { withdrawInvitationEndpoint } from '#contract/admin/users.ts';
import type { DataOf } from '#contract/endpoint.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import type { Ctx } from '#server/http/context.ts';
import { AppError, notFound } from '#server/lib/app-error.ts';
import { isUuid } from '#server/runs/rows.ts';

/**
 * Takes an invitation back. It may have been withdrawn already.
 * @throws CONFLICT once it was accepted.
 */
export async function withdrawInvitation(
  ctx: Ctx,
  { id }: z.output<typeof withdrawInvitationEndpoint.body>,
): Promise<DataOf<typeof withdrawInvitationEndpoint>> {
  if (!isUuid(id)) throw notFound('This invitation');
  return ctx.deps.db.transaction().execute(async (tx) => {
    const invitation = await tx
      .selectFrom('app.invitations')
      .selectAll()
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!invitation) throw notFound('This invitation');
    if (invitation.accepted_at)
      throw new AppError('CONFLICT', 'This invitation was accepted. Disable the account instead.');
    if (invitation.withdrawn_at) return { id };
    await tx.updateTable('app.invitations').set({ withdrawn_at: sql<Date>`now()` }).where('id', '=', id).execute();
    await writeAudit(tx, ctx, { action: 'invitation.withdrawn', target: invitation.email });
    return { id };
  });
}
