import type { Selectable } from 'kysely';
import type { AsJson } from '#backend/auth/kit/as-json.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import type { TokenWish } from '#backend/auth/kit/hooks.ts';

import { AUTH_LIFETIMES } from '#backend/auth/kit/limits.ts';
import { type Belongings, type UserJson, type UserRow, userJson } from '#backend/auth/people/users.ts';
import type { Claims } from '#backend/auth/tokens/claims.ts';
import { signToken } from '#backend/auth/tokens/sign-token.ts';
import type { SigningKey } from '#backend/auth/tokens/signing-keys.ts';
import type { DB } from '#db/types.gen.ts';

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

/** A session that someone may go on with, and what its token says. */
export type GrantedSession = { claims: Claims; user: UserJson; refreshToken: string };

/**
 * Asks for a session's token, in the transaction that opens or continues it: a hook may refuse.
 * @throws AuthError of the hook.
 */
export async function grantToken(
  context: AuthContext,
  opened: OpenedSession,
  wish: TokenWish,
): Promise<GrantedSession> {
  const { session, refreshToken } = opened;
  const user = userJson(opened.user, opened);
  const claims = claimsOf(session, user, context.issuer);
  return { claims: (await context.hooks.customAccessToken?.(claims, wish)) ?? claims, user, refreshToken };
}

function claimsOf(session: AsJson<SessionRow>, user: UserJson, issuer: string): Claims {
  const issuedAt = Math.floor(Date.now() / 1000);
  return {
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
    exp: issuedAt + AUTH_LIFETIMES.accessTokenSeconds,
  };
}

/** Signs the access token of a session. */
export function sessionAnswer({ claims, refreshToken, user }: GrantedSession, signing: SigningKey): SessionAnswer {
  return {
    access_token: signToken(claims, signing),
    token_type: 'bearer',
    expires_in: AUTH_LIFETIMES.accessTokenSeconds,
    expires_at: claims.exp,
    refresh_token: refreshToken,
    user,
  };
}
