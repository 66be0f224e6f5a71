import type { Selectable } from 'kysely';
import type { DB } from '#db/types.gen.ts';
import type { AsJson } from './as-json.ts';
import { AUTH_LIFETIMES } from './limits.ts';
import { signToken } from './sign-token.ts';
import type { SigningKey } from './signing-keys.ts';
import { type Belongings, type UserJson, type UserRow, userJson } from './users.ts';

export type SessionRow = Selectable<DB['auth.sessions']>;

/** What a sign-in or refresh answers. `expires_at` in seconds since 1970. */
export type SessionAnswer = {
  access_token: string;
  token_type: 'bearer';
  expires_in: number;
  expires_at: number;
  refresh_token: string;
  user: UserJson;
};

/** A session as it stands in the database, with the refresh token that continues it. */
export type OpenedSession = Belongings & { session: AsJson<SessionRow>; user: AsJson<UserRow>; refreshToken: string };

/** Signs the access token of a session. Mind the claims: policies and both APIs read them. */
export function sessionAnswer(opened: OpenedSession, signing: SigningKey, issuer: string): SessionAnswer {
  const { session, refreshToken } = opened;
  const user = userJson(opened.user, opened);
  const issuedAt = Math.floor(Date.now() / 1000);
  const expiresAt = issuedAt + AUTH_LIFETIMES.accessTokenSeconds;
  const claims = {
    email: user.email,
    phone: user.phone,
    app_metadata: user.app_metadata,
    user_metadata: user.user_metadata,
    role: user.role,
    aal: session.aal,
    amr: session.amr,
    session_id: session.id,
    is_anonymous: user.is_anonymous,
    iss: issuer,
    sub: user.id,
    aud: user.aud,
    iat: issuedAt,
    exp: expiresAt,
  };
  return {
    access_token: signToken(claims, signing),
    token_type: 'bearer',
    expires_in: AUTH_LIFETIMES.accessTokenSeconds,
    expires_at: expiresAt,
    refresh_token: refreshToken,
    user,
  };
}
