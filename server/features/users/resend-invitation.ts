import { sql } from 'kysely';
import type { z } from 'zod/mini';
import type { resendInvitationEndpoint } from '#contract/admin/users.ts';
import type { DataOf } from '#contract/endpoint.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import type { Ctx } from '#server/http/context.ts';
import { AppError, notFound } from '#server/lib/app-error.ts';
import { isUuid } from '#server/runs/rows.ts';
import { INVITATION_DAYS, toInvitation } from './invitation.ts';
import { sendInvitation } from './send-invitation.ts';

/**
 * Gives an open invitation a new term and mails it once more.
 * @throws CONFLICT for one that was withdrawn or accepted in the meantime, and MAIL_FAILED.
 */
export async function resendInvitation(
  ctx: Ctx,
  { id }: z.output<typeof resendInvitationEndpoint.body>,
): Promise<DataOf<typeof resendInvitationEndpoint>> {
  if (!isUuid(id)) throw notFound('This invitation');
  const invitation = await ctx.deps.db.transaction().execute(async (tx) => {
    const found = await tx
      .selectFrom('app.invitations')
      .select(['accepted_at', 'withdrawn_at'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!found) throw notFound('This invitation');
    if (found.withdrawn_at)
      throw new AppError('CONFLICT', 'Someone withdrew this invitation. You can invite them again.');
    if (found.accepted_at) throw new AppError('CONFLICT', 'This invitation has already been accepted.');
    const row = await tx
      .updateTable('app.invitations')
      .set({
        invited_by: ctx.user.userId,
        created_at: sql<Date>`now()`,
        expires_at: sql<Date>`now() + ${INVITATION_DAYS} * interval '1 day'`,
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await writeAudit(tx, ctx, { action: 'invitation.sent', target: row.email, details: { role: row.role } });
    return toInvitation(row);
  });
  return sendInvitation(ctx, invitation);
}
