import { sql } from 'kysely';
import { SecondStepRule } from '#contract/access/second-step.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import type { Ctx } from '#server/http/context.ts';
import { AppError } from '#server/lib/app-error.ts';

/** Who must use two-step sign-in. */
export async function getRule({ deps }: Ctx): Promise<{ required: SecondStepRule }> {
  const rules = await deps.db.selectFrom('app.sign_in_rules').select('second_step').executeTakeFirstOrThrow();
  return { required: SecondStepRule.parse(rules.second_step) };
}

/** @throws CONFLICT when the caller would be the first to be shut out by it. */
export async function setRule(
  ctx: Ctx,
  { required }: { required: SecondStepRule },
): Promise<{ required: SecondStepRule }> {
  if (required !== 'optional' && ctx.user.aal !== 'aal2')
    throw new AppError(
      'CONFLICT',
      'Set up two-step sign-in for your own account first, so that you do not lock yourself out.',
    );
  await ctx.deps.db.transaction().execute(async (tx) => {
    const changed = await tx
      .updateTable('app.sign_in_rules')
      .set({ second_step: required, updated_at: sql<Date>`now()` })
      .where('second_step', '<>', required)
      .returning('second_step')
      .executeTakeFirst();
    if (changed) await writeAudit(tx, ctx, { action: 'access.second_step_required', target: required });
  });
  return { required };
}
