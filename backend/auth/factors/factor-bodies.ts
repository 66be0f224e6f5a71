import { z } from 'zod/mini';

const NAME_LENGTH = 100;
const text = (name: string) =>
  z.nullish(
    z
      .string(`${name} must be a text`)
      .check(z.maxLength(NAME_LENGTH, `${name} must be under ${NAME_LENGTH} characters`)),
  );

/** POST /factors. */
export const EnrolBody = z.object({
  factor_type: z.enum(['totp', 'phone', 'webauthn'], 'factor_type needs to be totp, phone, or webauthn'),
  friendly_name: text('friendly_name'),
  issuer: text('issuer'),
  phone: text('phone'),
});
export type Enrolment = z.output<typeof EnrolBody>;

/** POST /factors/{id}/challenge. supabase-js repeats the factor's id in it. */
export const ChallengeBody = z.object({ channel: text('channel') });

/** POST /factors/{id}/verify. A passkey is proven by `webauthn` in place of the code. */
export const VerifyFactorBody = z.object({
  challenge_id: z.uuid('challenge_id must be an UUID'),
  code: z.nullish(z.string('code must be a text')),
  webauthn: z.optional(z.unknown()),
});
