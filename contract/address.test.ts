import { expect, test } from 'vitest';
import { addressOf } from './address.ts';

test('what the path names is put there, and the rest follows as query', () => {
  expect(addressOf('/api/runs', undefined)).toBe('/api/runs');
  expect(addressOf('/api/runs', { list_id: 7, state: undefined, after: null })).toBe('/api/runs?list_id=7');
  expect(addressOf('/api/runs/:id/calls', { id: 'a', state: 'failed' })).toBe('/api/runs/a/calls?state=failed');
});

test('a value cannot leave its place in the path', () => {
  expect(addressOf('/api/runs/:id', { id: '../keys?x=1#y' })).toBe('/api/runs/..%2Fkeys%3Fx%3D1%23y');
});
