import { expect, test } from 'vitest';
import { joinKey, splitKey } from './searchbug-key.ts';

test.each([
  ['12345678:abc:1$', { account: '12345678', secret: 'abc:1$' }],
  [' 12345678 | abc ', { account: '12345678', secret: 'abc' }],
  ['CO_CODE=12345678;PASS=abc', { account: '12345678', secret: 'abc' }],
  ['12345678\nabc', { account: '12345678', secret: 'abc' }],
  ['12345678', undefined],
  ['abc123', undefined],
  ['sandbox', undefined],
])('%j is split', (text, key) => expect(splitKey(text)).toEqual(key));

test.each([
  ['12345678', ' abc ', { key: '12345678:abc' }],
  ['', '', { key: '' }],
  ['', 'sandbox', { key: 'sandbox' }],
  ['', 'sandbox-down', { key: 'sandbox-down' }],
  ['', '12345678:abc', { key: '12345678:abc' }],
  ['12345678:abc', '', { key: '12345678:abc' }],
  ['sandbox', 'sandbox', { key: 'sandbox' }],
  [' sandbox ', ' sandbox-down ', { key: 'sandbox-down' }],
  ['12345678', 'sandbox', { key: '12345678:sandbox' }],
  ['', 'abc', { missing: 'account' }],
  ['me@agency.example', 'abc', { missing: 'account' }],
  ['sandbox', 'abc', { missing: 'account' }],
  ['12345678', '', { missing: 'secret' }],
])('%j and %j are joined', (account, secret, joined) => expect(joinKey({ account, secret })).toEqual(joined));
