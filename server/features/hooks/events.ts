import { z } from 'zod/mini';

export const BEFORE_USER_CREATED_PATH = '/api/auth/hooks/before-user-created';
export const CUSTOM_ACCESS_TOKEN_PATH = '/api/auth/hooks/custom-access-token';

/** How a token is asked for by someone who has a session. */
export const TOKEN_REFRESH = 'token_refresh';
/** And by someone who has given a password; `amr` has the same word. */
export const BY_PASSWORD = 'password';

/** Where the person is who caused an event. */
const ipAddress = z.nullish(z.string());

/** What Supabase Auth sends before it makes a user, as far as the gate needs it. */
export const BeforeUserCreated = z.object({
  metadata: z.object({ name: z.literal('before-user-created'), ip_address: ipAddress }),
  user: z.object({ email: z.nullish(z.string()), is_anonymous: z.nullish(z.boolean()) }),
});
export type BeforeUserCreated = z.infer<typeof BeforeUserCreated>;

/** Claims of a token that is about to be issued, handed back as they came. */
export type Claims = Record<string, unknown>;

/** What Supabase Auth sends before it issues a token. */
export const CustomAccessToken = z
  .object({
    /** Older versions send none. */
    metadata: z.nullish(z.object({ ip_address: ipAddress })),
    user_id: z.uuid(),
    claims: z.custom<Claims>((value) => typeof value === 'object' && value !== null && !Array.isArray(value)),
    /** TOKEN_REFRESH, or the way in which someone has just signed in. */
    authentication_method: z.string(),
  })
  .check(z.refine(({ user_id, claims }) => claims.sub === user_id, 'claims.sub must be the user_id.'));
export type CustomAccessToken = z.infer<typeof CustomAccessToken>;
