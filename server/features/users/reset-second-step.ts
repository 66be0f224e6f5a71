import { writeAudit } from '#server/audit/write-audit.ts';
import type { Ctx } from '#server/http/context.ts';
import { AppError } from '#server/lib/app-error.ts';
import { productMail } from '#server/mail/product-mail.ts';
import { lockAccount } from './account.ts';

/**
 * Takes all factors of someone who has lost them, and ends their sessions. They sign in by mail and set it up again.
 * @throws CONFLICT for oneself: someone else may be at a session that was left open.
 */
export async function resetSecondStep(
  ctx: Ctx,
  { user_id: userId }: { user_id: string },
): Promise<{ user_id: string; factors: number }> {
  const { email, ...reset } = await ctx.deps.db.transaction().execute(async (tx) => {
    const account = await lockAccount(tx, ctx, userId);
    if (account.id === ctx.user.userId)
      throw new AppError('CONFLICT', 'Remove your own second step on your account page.');
    const factors = await ctx.deps.accounts.removeFactors(tx, account.id);
    if (factors > 0)
      await writeAudit(tx, ctx, { action: 'user.second_step_reset', target: account.id, details: { factors } });
    return { user_id: account.id, factors, email: account.email };
  });
  if (!ctx.deps.accounts.tellsOwners) await tellOwner(ctx, email);
  return reset;
}

/** The reset has happened, whether the mail arrives or not. */
async function tellOwner({ deps, log, user }: Ctx, to: string): Promise<void> {
  const mail = productMail({
    subject: 'Your second step at Fairlead was reset',
    paragraphs: [
      `${user.email} reset two-step sign-in for your account. Its second steps and phone number were removed, and all its sessions have ended.`,
    ],
    button: { label: 'Sign in', link: deps.siteUrl },
    notes: ['If you did not request this, ask your Fairlead administrators who did.'],
    siteUrl: deps.siteUrl,
  });
  await deps
    .sendMail({ to, ...mail })
    .catch((error: unknown) =>
      log.warn({ reason: String(error).replaceAll(to, '…') }, 'the notice of a second-step reset could not be emailed'),
    );
}
