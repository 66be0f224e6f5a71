import { expect, test } from 'vitest';
import { parseSearchbugKey } from './parse-key.ts';

test.each([
  ['12345678:abc123', '12345678', 'abc123'],
  [' 12345678 : abc123 ', '12345678', 'abc123'],
  ['12345678|abc', '12345678', 'abc'],
  ['12345678 abc', '12345678', 'abc'],
  ['12345678\nabc', '12345678', 'abc'],
  ['12345678:pa$s:w;rd', '12345678', 'pa$s:w;rd'],
  ['CO_CODE=12345678;PASS=abc', '12345678', 'abc'],
  ['co_code = 12345678, pass = abc', '12345678', 'abc'],
  ['sandbox', '12345678', 'sandbox'],
  ['sandbox-down', '12345678', 'sandbox-down'],
  ['87654321:sandbox-down', '87654321', 'sandbox-down'],
])('%j', (text, account, secret) => {
  expect(parseSearchbugKey(text)).toEqual({ account, secret });
});

test.each(['', 'abc123', '12345678', '12345678:', ':abc', '12:abc', `12345678:${'x'.repeat(501)}`])(
  '%j is refused',
  (text) => {
    expect(parseSearchbugKey(text)).toBeUndefined();
  },
);
