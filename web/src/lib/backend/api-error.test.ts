import { expect, test } from 'vitest';
import { ApiError, dataError, NETWORK_MESSAGE } from './api-error.ts';

test.each(['TypeError: Failed to fetch', 'TypeError: NetworkError when attempting to fetch resource.'])(
  'a data call without an answer is a network error: %s',
  (message) => {
    const error = dataError({ message });
    expect(error.message).toBe(NETWORK_MESSAGE);
    expect(error instanceof ApiError && error.kind).toBe('network');
  },
);

test('what the data API says is told as it is', () => {
  expect(dataError({ message: 'permission denied for table leads' }).message).toBe('permission denied for table leads');
});
