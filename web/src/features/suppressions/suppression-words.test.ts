import { expect, test } from 'vitest';
import { clockText, honorBy, valueText } from './suppression-words.ts';

const dayOf = (date: Date) => `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`;

test.each([
  ['2026-11-24T12:00:00', '2026-12-8'],
  ['2026-11-20T12:00:00', '2026-12-4'],
  ['2026-11-21T12:00:00', '2026-12-4'],
])('a request of %s is honored by %s', (added, due) => {
  expect(dayOf(honorBy(new Date(added).toISOString()))).toBe(due);
});

test('the clock is shown until its day is over', () => {
  const added = new Date('2026-11-24T12:00:00').toISOString();
  expect(clockText(added, new Date('2026-12-08T22:00:00').getTime())).toBe('Other tools must follow by Dec 8, 2026');
  expect(clockText(added, new Date('2026-12-09T00:00:01').getTime())).toBeUndefined();
});

test('phones are spelled for people', () => {
  expect(valueText({ kind: 'phone', value: '+13125550100' })).toBe('+1 312 555 0100');
  expect(valueText({ kind: 'domain', value: 'example.com' })).toBe('example.com');
});
