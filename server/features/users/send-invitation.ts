import type { Invitation, SentInvitation } from '#contract/admin/users.ts';
import type { Ctx } from '#server/http/context.ts';
import { AppError } from '#server/lib/app-error.ts';
import { invitationMail } from './invitation-mail.ts';

/**
 * Mails an invitation that stands, and asks the gate meanwhile whether it opens the door.
 * @throws MAIL_FAILED when the mail could not be sent.
 */
export async function sendInvitation(ctx: Ctx, invitation: Invitation): Promise<SentInvitation> {
  const [decision] = await Promise.all([ctx.deps.gate.decide(invitation.email), mail(ctx, invitation)]);
  return { ...invitation, access_denial: decision.allow ? null : decision.reason };
}

async function mail({ deps, user, log }: Ctx, { email, role }: Invitation): Promise<void> {
  try {
    if (await deps.accounts.mailInvitation({ email, role })) return;
    await deps.sendMail(invitationMail({ email, role, invitedBy: user.email, siteUrl: deps.siteUrl }));
  } catch (error) {
    if (error instanceof AppError) throw error;
    // Mail servers repeat the address in what they say, and logs hold no addresses.
    log.error({ reason: String(error).replaceAll(email, '…') }, 'an invitation could not be emailed');
    throw new AppError(
      'MAIL_FAILED',
      `The invitation is saved, but its email could not be sent. Resend it later, or tell them to sign in at ${deps.siteUrl}/login.`,
    );
  }
}
