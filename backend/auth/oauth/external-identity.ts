import { z } from 'zod/mini';
import { AuthError } from '#backend/auth/kit/auth-error.ts';
import { normalizeEmail } from '#backend/auth/kit/email-address.ts';
import { isStorable } from '#db/values/storable.ts';

const text = z.catch(
  z.optional(
    z.string().check(
      z.maxLength(500),
      z.refine((value) => isStorable(value)),
    ),
  ),
  undefined,
);

/** What is read of an ID token. Only `sub` must be there (RFC: at most 255 characters); what is no use is left out. */
const Claims = z.object({
  iss: z.string(),
  sub: z.string().check(
    z.minLength(1),
    z.maxLength(255),
    z.refine((value) => isStorable(value)),
  ),
  email: text,
  // Some providers send it as a text.
  email_verified: z.catch(z.optional(z.union([z.boolean(), z.literal('true')])), undefined),
  name: text,
  picture: text,
});

/** Someone, by the word of the provider that knows them as `sub`. */
export const ExternalIdentity = z.object({
  provider: z.string(),
  issuer: z.string(),
  sub: z.string(),
  /** Normalized, and vouched for by the provider. */
  verifiedEmail: z.optional(z.string()),
  /** As the provider has it. */
  email: z.optional(z.string()),
  name: z.optional(z.string()),
  picture: z.optional(z.string()),
});
export type ExternalIdentity = z.infer<typeof ExternalIdentity>;

/**
 * The person of checked `claims`.
 * @throws AuthError 400 for claims that name no one.
 */
export function readClaims(provider: string, claims: unknown): ExternalIdentity {
  const parsed = Claims.safeParse(claims);
  if (!parsed.success) throw new AuthError(400, 'validation_failed', 'Missing sub claim in id_token');
  const { iss: issuer, sub, email, email_verified: verified, name, picture } = parsed.data;
  const verifiedEmail = email && verified ? normalizeEmail(email) : undefined;
  return {
    provider,
    issuer,
    sub,
    ...(verifiedEmail ? { verifiedEmail } : {}),
    ...(email ? { email } : {}),
    ...(name ? { name } : {}),
    ...(picture ? { picture } : {}),
  };
}

/** `identity_data`, in GoTrue's fields. */
export const identityData = ({ issuer, sub, email, verifiedEmail, name, picture }: ExternalIdentity) => ({
  iss: issuer,
  sub,
  provider_id: sub,
  ...(email ? { email: verifiedEmail ?? email } : {}),
  email_verified: verifiedEmail !== undefined,
  phone_verified: false,
  ...(name ? { name, full_name: name } : {}),
  ...(picture ? { picture, avatar_url: picture } : {}),
});

/** `user_metadata` of someone who comes for the first time. */
export const profileData = ({ name, picture }: ExternalIdentity) => ({
  ...(name ? { name, full_name: name } : {}),
  ...(picture ? { picture, avatar_url: picture } : {}),
});
