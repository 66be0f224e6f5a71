import { expect, test } from 'vitest';
import { filterWords, presenceOf, withPresence } from './filter-words.ts';

test('a part is wanted, unwanted or neither', () => {
  const wanted = withPresence({ has: 'email' }, 'phone', 'has');
  expect(wanted).toMatchObject({ has: 'phone,email', lacks: undefined });
  const moved = withPresence(wanted, 'email', 'lacks');
  expect(moved).toMatchObject({ has: 'phone', lacks: 'email' });
  expect(presenceOf(moved, 'email')).toBe('lacks');
  expect(presenceOf(moved, 'owner')).toBe('any');
});

test('each filter is said in words and can be taken away', () => {
  const filter = {
    lacks: 'website',
    verdict: 'expired',
    city: 'Peoria',
    zip: '61602',
    confidence: 90,
    since: '2026-11-01',
  } as const;
  const words = filterWords(filter);
  expect(words.map(({ text }) => text)).toEqual([
    'No website',
    'Checked over 31 days ago',
    'In Peoria',
    'ZIP 61602',
    'Email 90% or more',
    'Since Nov 1, 2026',
  ]);
  expect(words[0]?.without.lacks).toBeUndefined();
  expect(words.at(-1)?.without).toMatchObject({ ...filter, since: undefined });
  expect(filterWords({ q: 'dentist' })).toEqual([]);
});
