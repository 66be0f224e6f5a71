import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AuthError } from './auth-error.ts';
import { normalizeEmail } from './email-address.ts';
import { allowedRedirect, withError } from './redirects.ts';

const options = {
  siteUrl: 'http://localhost:3000',
  allowedRedirects: ['http://localhost:3000', 'http://127.0.0.1:3000'],
};

test('whatever is asked for, the way back leads to an allowed origin', () => {
  const parts = [
    'http:',
    'https:',
    '//',
    '/',
    '\\',
    '@',
    ':',
    '#',
    '?',
    '.',
    '\t',
    '\n',
    'localhost:3000',
    '127.0.0.1:3000',
    'evil.example',
    'javascript:',
    '%2f',
    'a',
  ];
  const address = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.webUrl(),
    fc.array(fc.constantFrom(...parts)).map((some) => some.join('')),
  );
  fc.assert(
    fc.property(address, (wanted) => {
      expect(options.allowedRedirects).toContain(new URL(allowedRedirect(options, wanted)).origin);
    }),
    { numRuns: 5000 },
  );
});

test('both spellings of the own machine stay what they are', () => {
  expect(allowedRedirect(options, 'http://127.0.0.1:3000/lists?a=b')).toBe('http://127.0.0.1:3000/lists?a=b');
  expect(allowedRedirect(options, 'http://localhost:3000')).toBe('http://localhost:3000/');
  expect(allowedRedirect(options, 'http://localhost:3001')).toBe(options.siteUrl);
  expect(allowedRedirect(options, 'blob:http://localhost:3000/page')).toBe(options.siteUrl);
});

test('an error is readable from query and fragment alike, whatever its text', () => {
  const url = new URL(
    withError('http://localhost:3000/a?b=c', new AuthError(429, 'over_request_rate_limit', 'a & b = 50% #1 + é')),
  );
  expect(url.searchParams.get('b')).toBe('c');
  for (const parameters of [url.searchParams, new URLSearchParams(url.hash.slice(1))]) {
    expect(parameters.get('error')).toBe('temporarily_unavailable');
    expect(parameters.get('error_code')).toBe('over_request_rate_limit');
    expect(parameters.get('error_description')).toBe('a & b = 50% #1 + é');
  }
});

test('an address has one form, is never more than one, and stays what it is when normalized again', () => {
  const like = fc.tuple(fc.string({ unit: 'grapheme' }), fc.domain()).map(([local, domain]) => `${local}@${domain}`);
  fc.assert(
    fc.property(fc.oneof(fc.emailAddress(), like, fc.string({ unit: 'binary' })), (input) => {
      const email = normalizeEmail(input);
      if (email === undefined) return;
      expect(email).not.toMatch(/[\s\p{C},;:<>()[\]\\"]/u);
      expect(email.split('@')).toHaveLength(2);
      expect(normalizeEmail(email)).toBe(email);
      expect(normalizeEmail(` ${email}\n`)).toBe(email);
    }),
    { numRuns: 5000 },
  );
  expect(normalizeEmail(' Ada.Lovelace+x@Harbour.Example ')).toBe('ada.lovelace+x@harbour.example');
  expect(normalizeEmail('jürgen@häfen.example')).toBe('jürgen@häfen.example');
});
