import { expect, test } from 'vitest';
import { providerName } from './sign-in-providers.ts';

test('providers have names for people', () => {
  expect(['google', 'azure', 'custom:harbour-id', 'twitch'].map(providerName)).toEqual([
    ...['Google', 'Microsoft', 'Harbour id', 'Twitch'],
  ]);
});
