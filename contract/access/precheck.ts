import { z } from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';

/** RFC 5321 allows 254 characters in a forward path. */
export const EMAIL_MAX_LENGTH = 254;

/** Trimmed and lower-case. Characters that only look like others are refused: lower-case, the Kelvin sign is a k. */
export const Email = z.string().check(
  z.trim(),
  z.refine((text) => text === text.normalize('NFKC'), 'Enter the email address in ordinary letters.'),
  z.toLowerCase(),
  z.maxLength(EMAIL_MAX_LENGTH, 'The email address is too long.'),
  z.email('Enter an email address such as name@company.com.'),
);

/** Why someone may not sign in. */
export const DENIAL_REASONS = ['NO_CONTACT', 'MISSING_TAG', 'KEAP_ERROR', 'DISABLED'] as const;
export type DenialReason = (typeof DENIAL_REASONS)[number];

/** The check before a link is sent. The backend enforces the same gate again when the link is requested. */
export const precheckEndpoint = endpoint({
  method: 'POST',
  path: '/api/auth/precheck',
  access: 'public',
  body: z.object({ email: Email }),
  data: z.object({ allow: z.boolean(), reason: z.nullish(z.string()) }),
});

/** The words for a refusal, as spec section 8 fixes them; unknown reasons get the default. */
export function denialText(reason: string | null | undefined): string {
  switch (reason) {
    case 'KEAP_ERROR':
      return 'Unable to verify access right now. Please try again or contact support.';
    case 'NO_CONTACT':
    case 'MISSING_TAG':
      return 'Access denied. This email does not have the required access.';
    default:
      return 'Access denied. Please contact support if you believe this is an error.';
  }
}

/** All words for refusals. Behind the hooks of hosted Supabase only they tell that it was the gate: refusals there have no code. */
export const DENIAL_TEXTS: ReadonlySet<string> = new Set(DENIAL_REASONS.map(denialText));
