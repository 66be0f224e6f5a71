import { sql } from 'kysely';
import type { z } from 'zod/mini';
import type { inviteUserEndpoint } from '#contract/admin/users.ts';
import type { DataOf } from '#contract/endpoint.ts';
import type { Tx } from '#db/connection/tx.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import type { Ctx } from '#server/http/context.ts';
import { AppError } from '#server/lib/app-error.ts';
import { INVITATION_DAYS, toInvitation } from './invitation.ts';
import { sendInvitation } from './send-invitation.ts';

/**
 * Invites an address, or gives its open invitation a new role and a new term, and mails it.
 * @throws CONFLICT for someone who has an account.
 * @throws MAIL_FAILED when the mail could not be sent. The invitation still stands.
 */
export async function inviteUser(
  ctx: Ctx,
  { email, role }: z.output<typeof inviteUserEndpoint.body>,
): Promise<DataOf<typeof inviteUserEndpoint>> {
  const { deps, user } = ctx;
  const invitation = await deps.db.transaction().execute(async (tx) => {
    await refuseAccounts(tx, email);
    const columns = {
      role,
      invited_by: user.userId,
      created_at: sql<Date>`now()`,
      expires_at: sql<Date>`now() + ${INVITATION_DAYS} * interval '1 day'`,
    };
    const row = await tx
      .insertInto('app.invitations')
      .values({ email, ...columns })
      .onConflict((conflict) =>
        conflict
          .expression(sql`lower(email)`)
          .where('accepted_at', 'is', null)
          .where('withdrawn_at', 'is', null)
          .doUpdateSet(columns),
      )
      .returningAll()
      .executeTakeFirstOrThrow();
    await writeAudit(tx, ctx, { action: 'invitation.sent', target: email, details: { role } });
    return toInvitation(row);
  });
  return sendInvitation(ctx, invitation);
}

async function refuseAccounts(tx: Tx, email: string): Promise<void> {
  const account = await tx
    .selectFrom('app.profiles')
    .select('status')
    .where(sql`lower(email)`, '=', email)
    .executeTakeFirst();
  if (!account) return;
  throw new AppError(
    'CONFLICT',
    account.status === 'active'
      ? `${email} already has an account. Change its role in the users table.`
      : `${email} has a disabled account. Set its status to Active in the users table.`,
  );
}
