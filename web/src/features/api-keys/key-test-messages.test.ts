import { expect, test } from 'vitest';
import { ApiError } from '#web/lib/backend/api-error.ts';
import { keyTestErrorText, keyTestRefusalText } from './key-test-messages.ts';

test.each([
  [
    'a refusal with words',
    new ApiError('x', { kind: 'http', status: 429, serverMessage: 'Slow down.' }),
    true,
    'Slow down.',
  ],
  ['a refusal without words', new ApiError('x', { kind: 'http', status: 500 }), true, 'Failed to test API key'],
  ["a proxy's error page", new ApiError('x', { kind: 'non_json', status: 502 }), true, 'HTTP 502'],
  [
    'a page instead of an answer',
    new ApiError('x', { kind: 'non_json', status: 200 }),
    true,
    'Server returned invalid response. Please try again.',
  ],
  [
    'broken JSON',
    new ApiError('x', { kind: 'invalid_json', status: 200 }),
    true,
    'Server returned an invalid response. Please try again.',
  ],
  ['a lost connection', new ApiError('x', { kind: 'network' }), true, 'Network error occurred. Please try again.'],
  [
    'no connection at all',
    new ApiError('x', { kind: 'network' }),
    false,
    'Network error. Please check your internet connection.',
  ],
  ['no one signed in', new ApiError('Not authenticated', { kind: 'unauthenticated' }), true, 'Not authenticated'],
  ['anything else', new RangeError('x'), true, 'Unable to test API key. Please try again.'],
])('%s', (_name, error, online, text) => {
  expect(keyTestErrorText(error, online)).toBe(text);
});

test('a tested key', () => {
  expect(keyTestRefusalText({ valid: false, error: 'Hunter refused it.', saved: false }, true)).toBe(
    'Hunter refused it.',
  );
  expect(keyTestRefusalText({ valid: false, error: null, saved: false }, true)).toBe('API key test failed');
  expect(keyTestRefusalText({ valid: false, error: null, saved: false }, false)).toBe('Connection test failed');
  expect(keyTestRefusalText({ valid: true, saved: false }, true)).toMatch(/could not be saved/);
  expect(keyTestRefusalText({ valid: true, saved: false }, false)).toBeUndefined();
  expect(keyTestRefusalText({ valid: true, saved: true }, true)).toBeUndefined();
});
