import { z } from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';

/** One place where the caller is signed in. `device` is a guess such as "Chrome on Windows"; times are ISO strings. */
export const AccountSession = z.object({
  id: z.string(),
  device: z.string(),
  /** The network address that signed in; null where none was known. */
  ip: z.nullable(z.string()),
  signedInAt: z.string(),
  /** To the hour: that is how often an open page renews its session. */
  lastUsedAt: z.string(),
  /** When it ends by itself, unless it is used before; null where that is not told. */
  endsAt: z.nullable(z.string()),
  /** Whether it is the one that asks. */
  isCurrent: z.boolean(),
});
export type AccountSession = z.infer<typeof AccountSession>;

/** The caller's sessions: the one that asks first, then the last used. */
export const listSessionsEndpoint = endpoint({
  method: 'GET',
  path: '/api/account/sessions',
  reads: true,
  data: z.object({ sessions: z.array(AccountSession) }),
});

/** Ends one of the caller's sessions: anyone who uses it is signed out at once. */
export const endSessionEndpoint = endpoint({
  method: 'DELETE',
  path: '/api/account/sessions',
  body: z.object({ id: z.uuid('id must be the id of a session.') }),
  data: z.object({ id: z.string() }),
});

/**
 * Exchanges the refresh token of before a move to hosted Supabase, once, for what signs its owner in there: the `token_hash` of
 * `verifyOtp`. Elsewhere there is no such call (404).
 */
export const carryOverSessionEndpoint = endpoint({
  method: 'POST',
  path: '/api/session/carry-over',
  access: 'public',
  body: z.object({ refresh_token: z.string().check(z.minLength(1), z.maxLength(200)) }),
  data: z.object({ token_hash: z.string() }),
});
