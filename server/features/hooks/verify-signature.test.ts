import { describe, expect, test } from 'vitest';
import { TOLERANCE_MS, verifySignature } from './verify-signature.ts';

// The example that Standard Webhooks publishes.
const KEY = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
const SECONDS = 1_614_265_330;
const SIGNATURE = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
const OTHER_SIGNATURE = `v1,${Buffer.alloc(32, 5).toString('base64')}`;
const example = {
  'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  'webhook-timestamp': String(SECONDS),
  'webhook-signature': SIGNATURE,
};

function verify(
  headers: Partial<typeof example> = {},
  { body = '{"test": 2432232314}', keys = [KEY], nowMs = SECONDS * 1000 } = {},
) {
  const given: Record<string, string> = { ...example, ...headers };
  return verifySignature({ header: (name) => given[name], body }, keys, nowMs);
}
const refused = expect.objectContaining({ code: 'UNAUTHENTICATED' });

test('the published example is accepted', () => {
  expect(verify()).toBe('msg_p5jXN8AQM9LWM0D4loKWxJek');
});

test.each([
  ['one of several, parted by spaces', `${OTHER_SIGNATURE} ${SIGNATURE}`],
  ['one of several, parted as Supabase does', `${OTHER_SIGNATURE}, ${SIGNATURE}`],
  ['beside a version we do not know', `v1a,c29tZXRoaW5n ${SIGNATURE}`],
])('%s', (_, signature) => {
  expect(verify({ 'webhook-signature': signature })).toBe(example['webhook-id']);
});

test('while secrets are exchanged, either will do', () => {
  const other = Buffer.alloc(32, 9);
  expect(verify({}, { keys: [other, KEY] })).toBe(example['webhook-id']);
  expect(() => verify({}, { keys: [other] })).toThrow(refused);
  expect(() => verify({}, { keys: [] })).toThrow(refused);
});

describe('is refused', () => {
  test.each([
    ['another body', {}, { body: '{"test":2432232314}' }],
    ['another id', { 'webhook-id': 'msg_other' }, {}],
    ['an id that could be read as two parts', { 'webhook-id': 'msg.1' }, {}],
    ['an endless id', { 'webhook-id': 'x'.repeat(201) }, {}],
    ['another time', { 'webhook-timestamp': String(SECONDS + 1) }, {}],
    ['a time that is no number', { 'webhook-timestamp': '1e9' }, {}],
    ['no time', { 'webhook-timestamp': '' }, {}],
    ['no id', { 'webhook-id': '' }, {}],
    ['no signature', { 'webhook-signature': '' }, {}],
    ['another signature', { 'webhook-signature': OTHER_SIGNATURE }, {}],
    ['a short signature', { 'webhook-signature': SIGNATURE.slice(0, 20) }, {}],
    ['an empty signature', { 'webhook-signature': 'v1,' }, {}],
    ['the right signature under another version', { 'webhook-signature': SIGNATURE.replace('v1', 'v2') }, {}],
    ['an old one', {}, { nowMs: SECONDS * 1000 + TOLERANCE_MS + 1 }],
    ['one from the future', {}, { nowMs: SECONDS * 1000 - TOLERANCE_MS - 1 }],
  ])('%s', (_, headers, options) => {
    expect(() => verify(headers, options)).toThrow(refused);
  });

  test('and at the edge of the tolerance it is not', () => {
    for (const nowMs of [SECONDS * 1000 - TOLERANCE_MS, SECONDS * 1000 + TOLERANCE_MS])
      expect(verify({}, { nowMs })).toBe(example['webhook-id']);
  });
});
