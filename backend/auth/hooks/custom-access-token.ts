import { z } from 'zod/mini';
import { AuthError } from '#backend/auth/kit/auth-error.ts';
import type { AuthContext } from '#backend/auth/kit/context.ts';
import type { Claims } from '#backend/auth/sessions/session-answer.ts';
import { askHook } from './ask-hook.ts';
import { hookMetadata } from './hook-metadata.ts';

/** What a token must hold after a hook has changed it, as in GoTrue. */
const TokenClaims = z.looseObject({
  ...{ exp: z.int(), iat: z.int(), sub: z.string(), email: z.string(), phone: z.string(), role: z.string() },
  ...{ aal: z.string(), session_id: z.string(), is_anonymous: z.boolean() },
  aud: z.union([z.string(), z.array(z.string())]),
  ...{ jti: z.optional(z.string()), iss: z.optional(z.string()), nbf: z.optional(z.int()) },
  app_metadata: z.optional(z.record(z.string(), z.unknown())),
  user_metadata: z.optional(z.record(z.string(), z.unknown())),
  amr: z.optional(z.array(z.union([z.string(), z.record(z.string(), z.unknown())]))),
});

/** How somebody has come by a token: `token_refresh`, or as `amr` names it. */
export type TokenWish = { method: string; ip: string };

/**
 * The claims of a token that is to be issued, after the hook. Throws AuthError: those of `askHook`, and 500 `unexpected_failure` for claims
 * that no token can have.
 */
export async function askCustomAccessToken(
  context: Pick<AuthContext, 'hooks' | 'log'>,
  claims: Claims,
  { method, ip }: TokenWish,
): Promise<Claims> {
  const hook = context.hooks.customAccessToken;
  if (!hook) return claims;
  const answer = await askHook(context, hook, {
    metadata: hookMetadata('customize-access-token', ip),
    user_id: claims.sub,
    claims,
    authentication_method: method,
  });
  if (answer.claims === undefined) throw new AuthError(500, 'unexpected_failure', 'output claims field is missing');
  const { data, error } = TokenClaims.safeParse(answer.claims);
  if (data) return data;
  const wrong = error.issues.map(({ path }) => `- ${path.join('.') || '(root)'}: Invalid\n`).join('');
  throw new AuthError(500, 'unexpected_failure', `output claims do not conform to the expected schema: \n${wrong}`);
}
