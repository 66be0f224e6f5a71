import { AuthError } from '#backend/auth/kit/auth-error.ts';
import type { UserRow } from './users.ts';

const isBanned = ({ banned_until: until }: Pick<UserRow, 'banned_until'>): boolean =>
  until !== null && until.getTime() > Date.now();

/** @throws AuthError 403 `user_banned` while a ban lasts. */
export function refuseBanned(user: Pick<UserRow, 'banned_until'>): void {
  if (isBanned(user)) throw new AuthError(403, 'user_banned', 'User is banned');
}
