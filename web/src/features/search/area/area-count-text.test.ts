import { expect, test } from 'vitest';
import { SurveyCount } from '#contract/work/search/surveys.ts';
import { areaCountText, areaPriceLine, largeText, lookText, soFarText } from './area-count-text.ts';

const COUNTED = SurveyCount.parse({
  state: 'counted',
  why: null,
  found: 2014,
  unlisted: 1990,
  leaves: 60,
  freeCalls: 300,
  paidPages: 104,
  boundMicros: 3_640_000,
  etaSeconds: null,
  lookUpMicros: 0,
});
const query = { isError: false, isPending: false, isFetching: false, refetch: async () => undefined };

test('says what an area holds, what is new, and how many pages are paid for', () => {
  expect(areaCountText(COUNTED)).toMatch(/^2,014 places · 1,990 not in your lists yet · 104 pages to pay for\./);
  expect(areaCountText({ ...COUNTED, unlisted: 2014, paidPages: 0 })).toContain(
    'none in your lists yet · nothing left',
  );
  expect(areaCountText({ ...COUNTED, found: 0 })).toBe('Google found no such places in this area.');
});

test('an area has a price once it is counted, and not before', () => {
  expect(areaPriceLine({ ...query, data: COUNTED }).price).toMatchObject({
    boundMicros: 3_640_000,
    callMicros: 35_000,
  });
  expect(areaPriceLine({ ...query, data: { ...COUNTED, paidPages: 0, boundMicros: 0 } }).price?.callMicros).toBe(0);
  for (const state of ['counting', 'stopped'] as const)
    expect(areaPriceLine({ ...query, data: { ...COUNTED, state } }).price).toBeUndefined();
  expect(areaPriceLine({ ...query, data: undefined }).price).toBeUndefined();
});

test('an area of which no part gave an answer has no price', () => {
  const silent = { ...COUNTED, found: 0, paidPages: 0, boundMicros: 0, gaps: 2 };
  expect(areaPriceLine({ ...query, data: silent }).price).toBeUndefined();
  expect(areaPriceLine({ ...query, data: { ...silent, gaps: 0 } }).price?.text).toContain('no such places');
  expect(areaPriceLine({ ...query, data: { ...COUNTED, gaps: 2 } }).price).toBeDefined();
});

test('a count that stopped at its limit has a price', () => {
  const stopped = { ...COUNTED, state: 'stopped', atLimit: true } as const;
  expect(areaPriceLine({ ...query, data: stopped }).price?.boundMicros).toBe(3_640_000);
});

test('says what is new and what it costs so far, and what the second look is at', () => {
  expect(soFarText(COUNTED)).toBe(
    '2,014 places so far · 1,990 not in your lists yet · $3.64 at most for the 60 parts counted',
  );
  expect(soFarText({ ...COUNTED, found: 0, leaves: 0 })).toBe('0 places so far');
  // What no counted part holds yet is not told as free.
  expect(soFarText({ ...COUNTED, found: 99, unlisted: 99, leaves: 0, boundMicros: 0 })).toBe(
    '99 places so far · 99 not in your lists yet',
  );
  expect(soFarText({ ...COUNTED, leaves: 1, boundMicros: 35_000 })).toContain('$0.04 at most for the 1 part counted');
  expect(lookText(COUNTED)).toBeUndefined();
  expect(lookText({ again: { done: 12, planned: 1_040 } })).toBe('Second look: 12 of 1,040 looks');
  expect(areaCountText({ ...COUNTED, unplaced: 3 })).toContain('3 places were seen once and in no part since');
});

test('says what is known of open data before paying, and what is not', () => {
  const textOf = (places: number, matched: number) =>
    areaCountText({ ...COUNTED, openData: { places, sources: ['OpenStreetMap'], matched } }).split('fewer leads.')[1];
  expect(areaCountText(COUNTED)).not.toContain('Open data');
  expect(textOf(0, 0)).toBe(' Open data has no such places here.');
  expect(textOf(120, 0)).toBe(
    ' Open data (OpenStreetMap) has 120 places here, free of charge. None of Google’s is known to be among them yet: only a paid page tells. You get no business twice.',
  );
  expect(textOf(120, 14)).toBe(
    ' Open data (OpenStreetMap) has 120 places here, free of charge. 14 of Google’s are known to be among them, and no page is paid for those alone. Whether the other 2,000 are, only a paid page tells. You get no business twice.',
  );
  expect(textOf(120, 2014)).not.toContain('only a paid page tells');
});

test('says how many requests an area takes that is larger than the USA', () => {
  expect(largeText(20_000_000, 19_000)).toContain(
    'about 190 free requests for each 1,000 places of each business type, and up to 19,000',
  );
});
