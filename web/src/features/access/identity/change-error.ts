import { type AuthFailure, isRateLimited, SOMETHING_WRONG } from '#web/features/access/codes/sign-in-messages.ts';
import { deniedText, isDenied } from '#web/lib/backend/denied.ts';
import { BACKEND_DISABLED } from '#web/lib/backend/supabase.ts';
import { tryAgainText } from '#web/lib/backend/waits.ts';
import { NOT_CONFIRMED } from '#web/lib/session/fresh-proof.ts';

type About = 'email' | 'phone' | 'code';

/** Why one's address or number was not changed, in words for the person, and the field that it is about. */
export class ChangeError extends Error {
  override name = 'ChangeError';
  readonly about: About | undefined;

  constructor(message: string, about?: About) {
    super(message);
    this.about = about;
  }
}

/** The backend's refusal, where it is the same for addresses and numbers. */
export function changeError(error: AuthFailure, about: 'email' | 'phone'): ChangeError {
  if (error.code === 'backend_disabled') return new ChangeError(BACKEND_DISABLED);
  if (isRateLimited(error))
    return new ChangeError(`Too many requests. ${tryAgainText(error.message)} What you typed is still here.`);
  if (isDenied(error)) return new ChangeError(deniedText(error), about);
  switch (error.code) {
    case 'reauthentication_needed':
      return new ChangeError(NOT_CONFIRMED);
    case 'insufficient_aal':
      return new ChangeError('Sign out, then sign in again with your second step. After that, change it.');
    default:
      return new ChangeError(SOMETHING_WRONG);
  }
}

/** What to show beside the field that an error is `about`, or, without one, of the whole form. */
export const errorAbout = (error: Error | null, about: About | undefined): string | undefined =>
  error instanceof ChangeError && error.about === about ? error.message : undefined;
