import { sql } from 'kysely';
import type { getSessionEndsEndpoint, SessionEnds } from '#contract/access/session-ends.ts';
import type { DataOf } from '#contract/endpoint.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import type { Ctx } from '#server/http/context.ts';
import { AppError } from '#server/lib/app-error.ts';

/** When sessions end by themselves; null where hosted Supabase keeps them. */
export async function getEnds({ deps }: Ctx): Promise<DataOf<typeof getSessionEndsEndpoint>> {
  if (!deps.accounts.keepsSessions) return { ends: null };
  const rules = await deps.db
    .selectFrom('app.sign_in_rules')
    .select(['session_idle_hours as idle_hours', 'session_max_hours as max_hours'])
    .executeTakeFirstOrThrow();
  return { ends: rules };
}

/**
 * Sets when sessions end, and ends those that are already past it, the caller's included.
 * @throws CONFLICT at hosted Supabase.
 */
export async function setEnds(
  ctx: Ctx,
  { idle_hours, max_hours }: SessionEnds,
): Promise<DataOf<typeof getSessionEndsEndpoint>> {
  const { accounts, db } = ctx.deps;
  if (!accounts.keepsSessions)
    throw new AppError(
      'CONFLICT',
      'Supabase controls when sessions end here. Set it in your Supabase project, under Auth.',
    );
  await db.transaction().execute(async (tx) => {
    const changed = await tx
      .updateTable('app.sign_in_rules')
      .set({ session_idle_hours: idle_hours, session_max_hours: max_hours, updated_at: sql<Date>`now()` })
      .where((where) =>
        where.or([where('session_idle_hours', '<>', idle_hours), where('session_max_hours', '<>', max_hours)]),
      )
      .returning('singleton')
      .executeTakeFirst();
    if (!changed) return;
    const ended = await accounts.endOldSessions(tx);
    const details = { idle_hours, max_hours, ended };
    await writeAudit(tx, ctx, { action: 'access.session_ends_set', target: 'everybody', details });
  });
  return { ends: { idle_hours, max_hours } };
}
