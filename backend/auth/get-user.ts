import { userNotFound } from './auth-error.ts';
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
  if (!user) throw userNotFound();
  return userJson(user, await findBelongings(context.db, user.id));
}
