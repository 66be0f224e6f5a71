import { AuthError } from '#backend/auth/kit/auth-error.ts';

/**
 * Digits only, as GoTrue keeps numbers: E.164 without the plus.
 * @throws AuthError 400 `validation_failed`.
 */
export function requirePhone(given: string | null | undefined): string {
  const phone = (given ?? '')
    .trim()
    .replace(/^\+/, '')
    .replaceAll(/[\s().-]/g, '');
  if (!/^[1-9]\d{6,14}$/.test(phone))
    throw new AuthError(400, 'validation_failed', 'Invalid phone number format (E.164 required)');
  return phone;
}
