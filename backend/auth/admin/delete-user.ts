import { AuthError } from '#backend/auth/kit/auth-error.ts';
import type { Caller } from '#backend/auth/kit/caller.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { lockUserById } from './find-user.ts';

/**
 * Deletes a user with everything that is theirs.
 * @throws AuthError 404 `user_not_found`, 400 `validation_failed` for a soft one.
 */
export async function deleteUser(context: AuthContext, id: string, soft: boolean, { ip }: Caller): Promise<void> {
  if (soft) throw new AuthError(400, 'validation_failed', 'Deletion is permanent here. Ban a user who may come back');
  await context.db.transaction().execute(async (tx) => {
    const user = await lockUserById(tx, id);
    await tx.deleteFrom('auth.users').where('id', '=', user.id).execute();
    await context.onEvent(tx, { type: 'administered', act: 'deleted', userId: user.id, ip });
  });
}
