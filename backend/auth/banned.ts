import type { AsJson } from './as-json.ts';
import { AuthError } from './auth-error.ts';
import type { UserRow } from './users.ts';

type Bannable = AsJson<Pick<UserRow, 'banned_until'>>;

/** Also by PostgreSQL's "infinity", which is no time here. */
const isBanned = ({ banned_until: until }: Bannable): boolean =>
  until !== null && !(new Date(until).getTime() <= Date.now());

/** Throws AuthError 403 `user_banned` while a ban lasts. */
export function refuseBanned(user: Bannable): void {
  if (isBanned(user)) throw new AuthError(403, 'user_banned', 'User is banned');
}
