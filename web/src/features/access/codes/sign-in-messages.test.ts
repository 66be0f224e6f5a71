import { expect, test } from 'vitest';
import { ApiError } from '#web/lib/backend/api-error.ts';
import { codeErrorText, landingText, linkErrorText, precheckErrorText } from './sign-in-messages.ts';

const WRONG = 'Something went wrong. Please try again later.';
const NO_ACCESS = 'Access denied. This email does not have the required access.';
const DENIED = 'Access denied. Please contact support if you believe this is an error.';

test('the precheck fails with the words of the spec, but for a limit', () => {
  expect(precheckErrorText(new ApiError('x', { kind: 'network' }))).toBe(WRONG);
  expect(precheckErrorText(new ApiError('x', { kind: 'http', status: 500, serverMessage: 'x' }))).toBe(WRONG);
  expect(precheckErrorText(new TypeError('x'))).toBe(WRONG);
  const limited = new ApiError('x', {
    kind: 'http',
    status: 429,
    code: 'RATE_LIMITED',
    serverMessage: 'Wait a minute.',
  });
  expect(precheckErrorText(limited)).toBe('Too many sign-in links were requested.');
});

test.each([
  [
    { code: 'over_email_send_rate_limit', status: 429, message: 'Too many. Please try again in 37 minutes.' },
    'Too many sign-in links were requested.',
  ],
  [{ code: 'access_denied', status: 403 }, DENIED],
  [{ code: 'user_banned', status: 403 }, DENIED],
  [{ code: 'unknown', status: 403, message: NO_ACCESS }, NO_ACCESS],
  [{ code: 'email_address_invalid', status: 400 }, 'Enter an email address such as name@company.com.'],
  [{ code: 'backend_disabled', status: 400 }, 'The backend is disabled because environment settings are missing.'],
  [{ code: 'unexpected_failure', status: 500 }, WRONG],
  [{}, WRONG],
])('no link: %j', (failure, text) => {
  expect(linkErrorText({ message: 'internal detail', ...failure })).toBe(text);
});

test.each([
  [{ code: 'otp_expired', status: 403 }, /wrong or has expired/],
  [{ code: 'over_request_rate_limit', status: 429 }, /Too many codes/],
  [{ code: 'user_banned', status: 403 }, /Access denied/],
  [{ status: 0 }, /Something went wrong/],
])('no sign-in by code: %j', (failure, text) => {
  expect(codeErrorText({ message: 'internal detail', ...failure })).toMatch(text);
});

test('every landing says what to do next', () => {
  expect(landingText('expired').text).toContain('six-digit code');
  expect(landingText('other_device').text).toContain('six-digit code');
  expect(landingText('denied').text).toBe(DENIED);
  expect(landingText('failed').text).toContain('new link');
});
