import { beforeAll, expect, test } from 'vitest';
import type { BodyOf } from '#contract/endpoint.ts';
import { countAreaEndpoint, countedAreasEndpoint, searchAreaEndpoint } from '#contract/work/search/surveys.ts';
import { CITY } from '#test/areas.ts';
import { buildList } from '#test/lists.ts';
import { type Product, startProduct } from '#test/product.ts';

type Request = BodyOf<typeof countAreaEndpoint>;

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});

const SQUARE: Request['area'] = {
  kind: 'polygon',
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [-98.6, 38.4],
        [-98.4, 38.4],
        [-98.4, 38.6],
        [-98.6, 38.4],
      ],
    ],
  },
};
const DRAWN: Request = { maxResults: 'all', queries: ['dentist', 'plumber'], area: SQUARE };

test('areas that were counted and not searched can be counted on without being drawn again', async () => {
  const user = await product.user();
  const listed = async () => (await user.call(countedAreasEndpoint)).counts;
  expect(await listed()).toEqual([]);
  await user.connect('google_places', 'sandbox-city-30-listed');
  await user.call(countAreaEndpoint, CITY);
  const { surveyId = '' } = await user.call(countAreaEndpoint, DRAWN);
  const [drawn, circle] = await listed();
  expect(drawn).toMatchObject({
    surveyId,
    queries: ['dentist', 'plumber'],
    label: 'A drawn area',
    area: { kind: 'counted', survey: surveyId },
  });
  expect(circle).toMatchObject({ queries: ['dentist'], area: CITY.area, radius: CITY.radius });
  const again: Request = { ...DRAWN, area: { kind: 'counted', survey: surveyId }, watch: true };
  expect(await user.call(countAreaEndpoint, again)).toMatchObject({ surveyId });

  const other = await product.user();
  await other.connect('google_places', 'sandbox-city-30-listed-other');
  expect((await other.call(countedAreasEndpoint)).counts).toEqual([]);
  await user.connect('google_places', 'real-city-30-listed');
  expect(await listed()).toEqual([]);
  await user.connect('google_places', 'sandbox-city-30-listed');

  const list_id = await buildList(product.db, user.id);
  await user.call(searchAreaEndpoint, { ...DRAWN, list_id });
  await expect.poll(async () => (await listed()).map(({ label }) => label), { timeout: 20_000 }).toEqual(['A circle']);
});
