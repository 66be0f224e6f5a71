import { expect, test } from 'vitest';
import { countText, searchableText } from './count-text.ts';

const COUNT = {
  place: 'Springfield, IL',
  lookUpMicros: 0,
  found: 57,
  unlisted: 41,
  leftOut: 0,
  more: false,
  boundMicros: 105_000,
  callMicros: 35_000,
};

const FEWER = 'Closed businesses and those outside the radius are left out, so you may get fewer leads.';

test('what there is, and how much of it is new', () => {
  expect(countText(COUNT, 'springfield')).toBe(`57 places · 41 not in your lists yet. ${FEWER}`);
  expect(countText({ ...COUNT, found: 1, unlisted: 1 }, 'springfield')).toBe(
    `1 place · none in your lists yet. ${FEWER}`,
  );
  expect(countText({ ...COUNT, found: 5, unlisted: 3, leftOut: 2 }, 'springfield')).toBe(
    `5 places · none in your lists yet · 2 closed or outside the radius. ${FEWER}`,
  );
  expect(countText({ ...COUNT, found: 5, unlisted: 0, leftOut: 2 }, 'springfield')).toBe(
    `5 places · 0 not in your lists yet · 2 closed or outside the radius. ${FEWER}`,
  );
  expect(countText({ ...COUNT, found: 20, unlisted: 0, more: true }, 'springfield')).toBe(
    `The first 20 places · 0 not in your lists yet. Google has more. ${FEWER}`,
  );
  expect(countText({ ...COUNT, found: 3, unlisted: 0, leftOut: 3 }, 'springfield')).toBe(
    '3 places, and all of them have closed or lie outside the radius. You would get no leads.',
  );
  expect(countText({ ...COUNT, found: 0, unlisted: 0 }, 'springfield')).toBe(
    'Google found no such places near Springfield, IL.',
  );
  expect(countText({ ...COUNT, place: null, lookUpMicros: 32_000 }, 'springfield')).toMatch(
    /^“springfield” has not been looked up yet. Finding it costs \$0\.032\. /,
  );
});

test('only what can be searched for is counted', () => {
  const form = { businessType: ' dentists ', location: 'Austin, TX', radius: '25', maxResults: '60' };
  expect(searchableText({ ...form, businessType: 'de' })).toBe('');
  expect(searchableText(form)).toBe(searchableText({ ...form, businessType: 'dentists' }));
});
