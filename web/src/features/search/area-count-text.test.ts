import { expect, test } from 'vitest';
import { SurveyCount } from '#contract/work/surveys.ts';
import { areaCountText, areaPriceLine } from './area-count-text.ts';

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
