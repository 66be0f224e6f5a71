import { writeAudit } from '#server/audit/write-audit.ts';
import type { Ctx } from '#server/http/context.ts';
import { notFound } from '#server/lib/app-error.ts';

/**
 * Ends one of the caller's sessions, also the one that asks.
 * @throws NOT_FOUND for what is no session of theirs.
 */
export async function endSession(ctx: Ctx, { id }: { id: string }): Promise<{ id: string }> {
  const { deps, user } = ctx;
  return deps.db.transaction().execute(async (tx) => {
    if (!(await deps.accounts.endSession(tx, user.userId, id))) throw notFound('The session');
    await writeAudit(tx, ctx, { action: 'session.ended', target: user.userId, details: { session_id: id } });
    return { id };
  });
}
