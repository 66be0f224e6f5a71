import { userNotFound } from '#backend/auth/kit/auth-error.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import { authenticateActive } from './authenticate.ts';
import { findBelongings, type UserJson, userJson } from './users.ts';

/**
 * Who is signed in.
 * @throws AuthError of `authenticateActive`.
 */
export async function getUser(context: AuthContext, request: Request): Promise<UserJson> {
  const session = await authenticateActive(context, request);
  const user = await context.db
    .selectFrom('auth.users')
    .selectAll()
    .where('id', '=', session.userId)
    .executeTakeFirst();
  if (!user) throw userNotFound();
  return userJson(user, await findBelongings(context.db, user.id));
}
