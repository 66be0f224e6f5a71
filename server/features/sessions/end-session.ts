import { notFound } from '#server/http/app-error.ts';
import type { Ctx } from '#server/http/context.ts';

/** Ends one of the caller's sessions, also the one that asks. Throws NOT_FOUND for what is no session of theirs. */
export async function endSession({ deps, user }: Ctx, { id }: { id: string }): Promise<{ id: string }> {
  const ended = await deps.db
    .deleteFrom('auth.sessions')
    .where('id', '=', id)
    .where('user_id', '=', user.userId)
    .returning('id')
    .executeTakeFirst();
  if (!ended) throw notFound('The session');
  return ended;
}
