import type { AuthError } from '@supabase/supabase-js';
import { DENIAL_TEXTS } from '#contract/access/precheck.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { AppError } from '#server/lib/app-error.ts';

/** What Supabase's codes mean here. Whatever else it refuses goes by its status. */
const KIND_OF_CODE: Record<string, Kind> = {
  email_address_not_authorized: 'own mail server missing',
  over_email_send_rate_limit: 'too many mails',
  over_request_rate_limit: 'too often',
  user_not_found: 'gone',
  validation_failed: 'not valid',
  email_address_invalid: 'not valid',
  email_exists: 'taken',
  no_authorization: 'key refused',
  not_admin: 'key refused',
  bad_jwt: 'key refused',
  hook_timeout: 'hook failed',
  hook_timeout_after_retry: 'hook failed',
  hook_payload_invalid_content_type: 'hook failed',
  hook_payload_over_size_limit: 'hook failed',
};

type Kind = keyof typeof MEANINGS;

/** Each a code of ours, and what an administrator can do. */
const MEANINGS = {
  'own mail server missing': {
    code: 'UNAVAILABLE',
    text: 'Supabase mails only its project’s team by itself. Set up a mail server there (Authentication, Emails, SMTP settings).',
  },
  'too many mails': {
    code: 'RATE_LIMITED',
    text: 'Supabase has sent as many emails as it may for now. Wait an hour, or raise the limit there (Authentication, Rate limits).',
  },
  'too often': { code: 'RATE_LIMITED', text: 'Supabase is getting too many requests. Wait a minute, then try again.' },
  gone: { code: 'NOT_FOUND', text: 'This account no longer exists at Supabase. Reload the page.' },
  'not valid': { code: 'VALIDATION_FAILED', text: 'Supabase does not accept this address. Check the spelling.' },
  taken: { code: 'CONFLICT', text: 'Supabase has another account with this address.' },
  'key refused': {
    code: 'UNAVAILABLE',
    text: 'Supabase refused this site’s key. The site’s operator must set SUPABASE_SECRET_KEY to a secret key of this project.',
  },
  'hook failed': {
    code: 'UNAVAILABLE',
    text: 'Supabase asked this site who may sign in, and got no response. Check the addresses of its Auth Hooks.',
  },
  failed: {
    code: 'UNAVAILABLE',
    text: 'Supabase could not do this. If it happens again, read its Auth logs. Common causes are its mail server and the secret of an Auth Hook.',
  },
  unreachable: { code: 'UNAVAILABLE', text: 'Supabase cannot be reached right now. Try again in a minute.' },
  other: { code: 'UNAVAILABLE', text: 'Supabase did not accept the change. Try again in a minute.' },
} as const satisfies Record<string, { code: ErrorCode; text: string }>;

/** Statuses of Supabase's edge and of proxies: the call did not reach the admin API. */
const NOBODY_THERE = new Set([0, 502, 503, 504, 520, 521, 522, 523, 524]);

function kindOf({ code = '', status = 0 }: AuthError): Kind {
  const known = Object.hasOwn(KIND_OF_CODE, code) ? KIND_OF_CODE[code] : undefined;
  if (known) return known;
  if (status === 429) return 'too often';
  // Its gateway answers without a code.
  if (status === 401) return 'key refused';
  if (NOBODY_THERE.has(status)) return 'unreachable';
  return status >= 500 ? 'failed' : 'other';
}

/** What an administrator is told of a change that Supabase has refused. */
export function changeRefused(error: AuthError): AppError {
  const { code, text } = MEANINGS[kindOf(error)];
  return new AppError(code, text);
}

/** What an administrator is told of an invitation that stands here, and that Supabase has not mailed. */
export function mailRefused(error: AuthError): AppError {
  const why = DENIAL_TEXTS.has(error.message)
    ? 'The access rules do not allow this address. Change that first, for example by adding a required tag in the CRM.'
    : MEANINGS[kindOf(error)].text;
  return new AppError(
    'MAIL_FAILED',
    `The invitation is saved and you can resend it, but its email was not sent. ${why}`,
  );
}
