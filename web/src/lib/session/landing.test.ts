import { expect, test } from 'vitest';
import { landingProblem, readLanding, withoutLanding } from './landing.ts';

const AT = 'https://leads.example';

test('reads what a link brings, from query and hash', () => {
  expect(readLanding(`${AT}/lists/7?sort=name#row-2`)).toEqual({ kind: 'none' });
  expect(readLanding(`${AT}/?code=abc`)).toEqual({ kind: 'code' });
  expect(readLanding(`${AT}/lists/7?code=abc&sort=name`)).toEqual({ kind: 'code' });
  expect(
    readLanding(`${AT}/?error=access_denied&error_code=otp_expired#error=access_denied&error_code=otp_expired`),
  ).toEqual({
    kind: 'refused',
    code: 'otp_expired',
  });
  expect(readLanding(`${AT}/#error=server_error&error_description=broken`)).toEqual({ kind: 'refused', code: '' });
  expect(readLanding(`${AT}/#access_token=a&refresh_token=b`)).toEqual({ kind: 'tokens' });
});

test('reads how far a change of address is, and believes no words but the backend’s', () => {
  const at = `${AT}/account?change=address`;
  const half = 'message=Confirmation+link+accepted.+Please+proceed';
  expect(readLanding(`${at}&${half}`)).toEqual({ kind: 'address', news: 'address_half' });
  expect(readLanding(`${at}#${half}`)).toEqual({ kind: 'address', news: 'address_half' });
  expect(readLanding(`${at}&code=abc`)).toEqual({ kind: 'address', news: 'address_changed' });
  expect(readLanding(`${at}#access_token=a`)).toEqual({ kind: 'address', news: 'address_changed' });
  expect(readLanding(`${at}&error_code=otp_expired`)).toEqual({ kind: 'address', news: 'address_expired' });
  expect(readLanding(`${at}&error_code=email_exists`)).toEqual({ kind: 'address', news: 'address_taken' });
  expect(readLanding(`${at}&error_code=access_denied`)).toEqual({ kind: 'address', news: 'address_denied' });
  expect(readLanding(`${at}&error_code=conflict`)).toEqual({ kind: 'address', news: 'address_failed' });
  expect(readLanding(`${at}&message=Call+555-0100`)).toEqual({ kind: 'none' });
  expect(withoutLanding(`${at}&${half}#${half}`)).toBe('/account');
});

test('reads what became of linking an identity, and of signing in at someone else’s', () => {
  const at = `${AT}/account?change=identity`;
  expect(readLanding(`${at}&code=abc`)).toEqual({ kind: 'identity', code: 'abc' });
  const taken = 'error=access_denied&error_code=identity_already_exists';
  expect(readLanding(`${at}&${taken}#${taken}`)).toEqual({ kind: 'identity', news: 'identity_taken' });
  expect(readLanding(`${at}&error=access_denied`)).toEqual({ kind: 'identity', news: 'identity_cancelled' });
  expect(readLanding(`${at}&error_code=bad_oauth_state`)).toEqual({ kind: 'identity', news: 'identity_failed' });
  expect(readLanding(at)).toEqual({ kind: 'none' });
  expect(withoutLanding(`${at}&${taken}#${taken}`)).toBe('/account');
  const problemOf = (query: string) => landingProblem(readLanding(`${AT}/?${query}`), null, false);
  expect(problemOf('error=access_denied')).toBe('cancelled');
  expect(problemOf('error=access_denied&error_code=provider_email_needs_verification')).toBe('unverified');
  expect(problemOf('error=invalid_request&error_code=bad_oauth_state')).toBe('provider');
});

test('takes only that out of the address', () => {
  expect(withoutLanding(`${AT}/?code=abc`)).toBe('/');
  expect(withoutLanding(`${AT}/lists/7?code=abc&sort=name#row-2`)).toBe('/lists/7?sort=name#row-2');
  expect(withoutLanding(`${AT}/?error=a&error_code=b&error_description=c#error=a&error_code=b&sb=`)).toBe('/');
  expect(withoutLanding(`${AT}/#access_token=a&refresh_token=b`)).toBe('/');
});

test('says what went wrong', () => {
  const code = { kind: 'code' } as const;
  expect(landingProblem({ kind: 'none' }, null, false)).toBeUndefined();
  expect(landingProblem(code, null, true)).toBeUndefined();
  // The client does not even try a code whose verifier is not stored in this browser.
  expect(landingProblem(code, null, false)).toBe('other_device');
  expect(landingProblem(code, { name: 'AuthPKCECodeVerifierMissingError' }, false)).toBe('other_device');
  expect(landingProblem(code, { code: 'bad_code_verifier' }, false)).toBe('other_device');
  expect(landingProblem(code, { code: 'flow_state_expired' }, false)).toBe('expired');
  expect(landingProblem(code, { code: 'user_banned' }, false)).toBe('denied');
  expect(landingProblem(code, { name: 'AuthRetryableFetchError' }, false)).toBe('failed');
  expect(landingProblem({ kind: 'refused', code: 'otp_expired' }, null, false)).toBe('expired');
  expect(landingProblem({ kind: 'refused', code: 'access_denied' }, null, false)).toBe('denied');
  expect(landingProblem({ kind: 'refused', code: '' }, null, false)).toBe('failed');
  // Behind a hook of hosted Supabase.
  const words = 'Access denied. This email does not have the required access.';
  const byHook = readLanding(`${AT}/?error=access_denied&error_code=&error_description=${encodeURIComponent(words)}`);
  expect(landingProblem(byHook, null, false)).toBe('denied');
  expect(landingProblem(code, { code: 'unknown', message: words }, false)).toBe('denied');
  expect(landingProblem({ kind: 'tokens' }, { name: 'AuthPKCEGrantCodeExchangeError' }, false)).toBe('failed');
  expect(landingProblem({ kind: 'refused', code: 'otp_expired' }, null, true)).toBeUndefined();
});
