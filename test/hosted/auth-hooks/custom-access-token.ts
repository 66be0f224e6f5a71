import { z } from 'zod/mini';
import { AuthError } from '#backend/auth/kit/auth-error.ts';
import type { TokenWish } from '#backend/auth/kit/hooks.ts';
import type { Claims } from '#backend/auth/tokens/claims.ts';
import { askHook } from './ask-hook.ts';
import { hookMetadata } from './hook-metadata.ts';
import type { Hook } from './hook-options.ts';
import type { Site } from './site.ts';

/** What a token must hold after a hook has changed it, as in GoTrue. */
const TokenClaims = z.looseObject({
  exp: z.int(),
  iat: z.int(),
  sub: z.string(),
  email: z.string(),
  phone: z.string(),
  role: z.string(),
  aal: z.string(),
  session_id: z.string(),
  is_anonymous: z.boolean(),
  aud: z.union([z.string(), z.array(z.string())]),
  jti: z.optional(z.string()),
  iss: z.optional(z.string()),
  nbf: z.optional(z.int()),
  app_metadata: z.optional(z.record(z.string(), z.unknown())),
  user_metadata: z.optional(z.record(z.string(), z.unknown())),
  amr: z.optional(z.array(z.union([z.string(), z.record(z.string(), z.unknown())]))),
});

/**
 * The claims of a token that is to be issued, after the hook.
 * @throws AuthError of `askHook`, and 500 `unexpected_failure` for claims that no token can have.
 */
export async function askCustomAccessToken(
  site: Pick<Site, 'log'>,
  hook: Hook,
  claims: Claims,
  { method, ip }: TokenWish,
): Promise<Claims> {
  const answer = await askHook(site, hook, {
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
