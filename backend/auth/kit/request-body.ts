import { z } from 'zod/mini';
import { PKCE_PATTERN, type PkceChallenge } from '#backend/auth/links/pkce.ts';
import { nestsTooDeep } from '#db/values/json-depth.ts';
import { AuthError } from './auth-error.ts';
import { normalizeEmail } from './email-address.ts';

const challenge = {
  code_challenge: z.nullish(z.string()),
  code_challenge_method: z.nullish(z.string()),
};

/** POST /otp. Fields that supabase-js also sends, and that mean nothing here, are ignored. */
export const OtpBody = z.object({
  email: z.nullish(z.string('email must be a text')),
  phone: z.nullish(z.string('phone must be a text')),
  create_user: z.nullish(z.boolean('create_user must be true or false')),
  channel: z.nullish(z.enum(['sms'], 'Invalid channel: only sms is offered')),
  data: z.nullish(z.record(z.string(), z.unknown(), 'data must be an object')),
  ...challenge,
});

/** POST /recover. */
export const RecoverBody = z.object({
  email: z.nullish(z.string('email must be a text')),
  phone: z.nullish(z.string('phone must be a text')),
  ...challenge,
});

/** PUT /user. */
export const UserBody = z.object({
  email: z.nullish(z.string('email must be a text')),
  phone: z.nullish(z.string('phone must be a text')),
  password: z.nullish(z.string('password must be a text')),
  nonce: z.nullish(z.string('nonce must be a text')),
  data: z.nullish(z.record(z.string(), z.unknown(), 'data must be an object')),
  app_metadata: z.nullish(z.record(z.string(), z.unknown(), 'app_metadata must be an object')),
  ...challenge,
});

/** POST /resend. */
export const ResendBody = z.object({
  email: z.nullish(z.string('email must be a text')),
  phone: z.nullish(z.string('phone must be a text')),
  type: z.enum(
    ['signup', 'magiclink', 'email_change', 'sms', 'phone_change'],
    'type must be signup, email_change, sms or phone_change',
  ),
  ...challenge,
});

/** POST /verify. */
export const VerifyBody = z.object({
  type: z.enum(
    ['email', 'magiclink', 'signup', 'invite', 'recovery', 'email_change', 'sms', 'phone_change'],
    'type must be email, magiclink, signup, invite, recovery, email_change, sms or phone_change',
  ),
  email: z.nullish(z.string('email must be a text')),
  phone: z.nullish(z.string('phone must be a text')),
  token: z.nullish(z.string('token must be a text')),
  token_hash: z.nullish(z.string('token_hash must be a text')),
});

/** POST /token?grant_type=pkce */
export const PkceBody = z.object({
  auth_code: z.string('auth_code is required').check(z.minLength(1, 'auth_code is required')),
  code_verifier: z.string('code_verifier is required').check(z.minLength(1, 'code_verifier is required')),
});

/** POST /token?grant_type=id_token */
export const IdTokenBody = z.object({
  provider: z.string('provider is required'),
  id_token: z.string('id_token required').check(z.minLength(1, 'id_token required')),
  access_token: z.nullish(z.string('access_token must be a text')),
  nonce: z.nullish(z.string('nonce must be a text')),
  link_identity: z.nullish(z.boolean('link_identity must be true or false')),
});

/** POST /sso. */
export const SsoBody = z.object({
  provider_id: z.nullish(z.string('provider_id must be a text')),
  domain: z.nullish(z.string('domain must be a text')),
  ...challenge,
});

/** POST /token?grant_type=refresh_token */
export const RefreshBody = z.object({
  refresh_token: z.string('refresh_token is required').check(z.minLength(1, 'refresh_token is required')),
});

/**
 * The body of a request in the form of `schema`.
 * @throws AuthError 415, 400 `bad_json`, 400 `validation_failed`.
 */
export async function readBody<Schema extends z.ZodMiniType>(
  request: Request,
  schema: Schema,
): Promise<z.output<Schema>> {
  // Anything else could be sent by a foreign page's form, without the browser asking us first.
  if (!/^application\/json\b/i.test(request.headers.get('Content-Type') ?? ''))
    throw new AuthError(415, 'validation_failed', 'The body must be sent as application/json');
  let body: unknown;
  try {
    const text = await request.text();
    if (nestsTooDeep(text)) throw new SyntaxError('nests too deep');
    body = JSON.parse(text);
  } catch {
    throw new AuthError(400, 'bad_json', 'Could not parse request body as JSON');
  }
  const parsed = schema.safeParse(body);
  if (!parsed.success)
    throw new AuthError(400, 'validation_failed', parsed.error.issues[0]?.message ?? 'The body is not valid');
  return parsed.data;
}

/**
 * The normalized address of a body.
 * @throws AuthError `phone_provider_disabled`, `validation_failed`.
 */
export function requireEmail(body: { email?: string | null | undefined; phone?: string | null | undefined }): string {
  if (body.phone && !body.email)
    throw new AuthError(400, 'phone_provider_disabled', 'Signing in by phone is not offered');
  if (!body.email) throw new AuthError(400, 'validation_failed', 'An email address is required');
  if (body.email.length > 255) throw new AuthError(400, 'validation_failed', 'An email address is too long');
  const email = normalizeEmail(body.email);
  if (!email) throw new AuthError(400, 'validation_failed', 'Unable to validate email address: invalid format');
  return email;
}

/**
 * The PKCE challenge of a body, if it has one.
 * @throws AuthError `validation_failed`.
 */
export function readChallenge(body: {
  code_challenge?: string | null | undefined;
  code_challenge_method?: string | null | undefined;
}): PkceChallenge | undefined {
  const { code_challenge: given, code_challenge_method: named } = body;
  if (!given && !named) return undefined;
  if (!given || !named)
    throw new AuthError(400, 'validation_failed', 'PKCE flow requires code_challenge_method and code_challenge');
  const method = named.toLowerCase();
  // GoTrue takes `plain` as well: such a challenge is its own verifier, and stands in the request.
  if (method !== 's256') throw new AuthError(400, 'validation_failed', 'unsupported code_challenge method');
  if (!PKCE_PATTERN.test(given))
    throw new AuthError(400, 'validation_failed', 'code_challenge must be 43 to 128 letters, digits, or -._~');
  return { challenge: given, method };
}
