import { AuthError } from '#backend/auth/kit/auth-error.ts';
import { findBelongings, lockUser, type UserJson, type UserRow, userJson } from '#backend/auth/people/users.ts';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * The user with this id.
 * @throws AuthError 404 `validation_failed` for what is no id, 404 `user_not_found`.
 */
export async function getUserById(db: Db, id: string): Promise<UserJson> {
  requireId(id);
  const user = await db.selectFrom('auth.users').selectAll().where('id', '=', id).executeTakeFirst();
  return asUserJson(db, user);
}

/** The same, locked until the transaction ends. */
export async function lockUserById(tx: Tx, id: string): Promise<UserRow> {
  requireId(id);
  return known(await lockUser(tx, id));
}

/**
 * A user as the admin API answers it.
 * @throws AuthError 404 `user_not_found`.
 */
export async function asUserJson(db: Db, user: UserRow | undefined): Promise<UserJson> {
  const { id } = known(user);
  return userJson(known(user), await findBelongings(db, id));
}

function requireId(id: string): void {
  if (!UUID.test(id)) throw new AuthError(404, 'validation_failed', 'user_id must be an UUID');
}

function known(user: UserRow | undefined): UserRow {
  if (!user) throw new AuthError(404, 'user_not_found', 'User not found');
  return user;
}
