import { expect, test } from 'vitest';
import { countText, searchableText } from './count-text.ts';

const COUNT = { place: 'Springfield, IL', lookUpMicros: 0, found: 57, unlisted: 41, boundMicros: 105_000 };

test('what there is, and how much of it is new', () => {
  expect(countText(COUNT, 'springfield')).toBe('57 places · 41 not in your lists yet');
  expect(countText({ ...COUNT, found: 1, unlisted: 1 }, 'springfield')).toBe('1 place · none in your lists yet');
  expect(countText({ ...COUNT, found: 0, unlisted: 0 }, 'springfield')).toBe(
    'Google knows no such places around Springfield, IL.',
  );
  expect(countText({ ...COUNT, place: null, lookUpMicros: 32_000 }, 'springfield')).toMatch(
    /^“springfield” has not been looked up yet. Finding it costs \$0.03 /,
  );
});

test('only what can be searched for is counted', () => {
  const form = { businessType: ' dentists ', location: 'Austin, TX', radius: '25', maxResults: '60' };
  expect(searchableText({ ...form, businessType: 'de' })).toBe('');
  expect(searchableText(form)).toBe(searchableText({ ...form, businessType: 'dentists' }));
});
