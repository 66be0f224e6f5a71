import { AuthError } from './auth-error.ts';
import { authenticateActive } from './authenticate.ts';
import type { AuthContext } from './context.ts';
import { findBelongings, type UserJson, userJson } from './users.ts';

/** Who is signed in. Throws AuthError: those of `authenticateActive`. */
export async function getUser(context: AuthContext, request: Request): Promise<UserJson> {
  const session = await authenticateActive(context, request);
  const user = await context.db
    .selectFrom('auth.users')
    .selectAll()
    .where('id', '=', session.userId)
    .executeTakeFirst();
  if (!user) throw new AuthError(403, 'user_not_found', 'This account does not exist any more.');
  return userJson(user, await findBelongings(context.db, user.id));
}
