import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BodyOf } from '#contract/endpoint.ts';
import { countAreaEndpoint, type SurveyCount } from '#contract/work/search/surveys.ts';
import { SPACING } from '#server/paid-calls/departure/departures.ts';
import { CITY } from '#test/areas.ts';
import { type Product, startProduct } from '#test/product.ts';
import { reopen } from './open-survey.ts';

const usual = SPACING.google_places;
const pace = (calls: number) => Object.assign(SPACING, { google_places: [{ calls, windowMs: 1_000 }] });
let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => void Object.assign(SPACING, { google_places: usual }));

test('a second press of “Count again” that comes a moment late leaves no part unasked', async () => {
  const { db } = product;
  const user = await product.user();
  await user.connect('google_places', 'sandbox-city-400-late');
  const ask = (more: Partial<BodyOf<typeof countAreaEndpoint>>) => user.call(countAreaEndpoint, { ...CITY, ...more });
  const ended = async (): Promise<SurveyCount> => {
    pace(500);
    await expect.poll(async () => (await ask({ watch: true })).state, { timeout: 40_000 }).not.toBe('counting');
    return ask({ watch: true });
  };
  await ask({});
  const { surveyId = '', freeCalls } = await ended();
  const inState = (...states: string[]) =>
    db.selectFrom('app.survey_tiles').select('state').where('survey_id', '=', surveyId).where('state', 'in', states);
  pace(10);
  await ask({ again: true });
  await expect
    .poll(async () => (await inState('complete').execute()).length, { timeout: 20_000, interval: 50 })
    .toBeGreaterThan(1);
  expect(await inState('open').execute()).not.toEqual([]);
  // It had read that the area is counted, before the first press began.
  await reopen(db, surveyId);
  const counted = await ended();
  expect(counted).toMatchObject({ state: 'counted', found: 400, gaps: 0 });
  expect(counted.freeCalls).toBeGreaterThan(freeCalls);
  expect(await inState('open', 'failed').execute()).toEqual([]);
});
