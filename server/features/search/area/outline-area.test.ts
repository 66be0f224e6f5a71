import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { listCounties } from '#area/named/atlas.ts';
import { codeOf } from '#area/named/state-codes.ts';
import { leavesEndpoint, outlineEndpoint } from '#contract/work/search/coverage.ts';
import { countAreaEndpoint } from '#contract/work/search/surveys.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
let user: TestUser;
beforeAll(async () => {
  product = await startProduct();
  user = await product.user();
});

async function polygonsOf(area: Parameters<typeof user.call<typeof outlineEndpoint>>[1]) {
  const { outline, label } = await user.call(outlineEndpoint, area);
  if (outline?.type !== 'MultiPolygon') throw new Error('There is no outline.');
  return { label, polygons: outline.coordinates };
}

const SQUARE = [
  [-98.6, 38.4],
  [-98.4, 38.4],
  [-98.4, 38.6],
  [-98.6, 38.6],
  [-98.6, 38.4],
];

test('areas of each kind are drawn with closed rings', async () => {
  const county = await polygonsOf({ area: { kind: 'county', fips: '17031' } });
  expect(county.label).toBe('Cook County, IL');
  expect((await polygonsOf({ area: { kind: 'county', fips: '22071' } })).label).toBe('Orleans Parish, LA');
  const zips = await polygonsOf({ area: { kind: 'zips', codes: ['62701', '62702'] } });
  expect(zips.polygons).toHaveLength(2);
  const circle = await polygonsOf({
    area: { kind: 'circle', center: { latitude: 38.5, longitude: -98.5 } },
    location: 'The middle',
    radius: 10_000,
  });
  expect(circle.polygons[0]?.[0]).toHaveLength(65);
  const drawn = await polygonsOf({ area: { kind: 'polygon', geometry: { type: 'Polygon', coordinates: [SQUARE] } } });
  expect(drawn.polygons).toEqual([[SQUARE]]);
  for (const { polygons } of [county, zips, circle, drawn])
    for (const ring of polygons.flat()) expect(ring.at(-1)).toEqual(ring[0]);
});

test('Alaska is one piece, with what lies beyond the antimeridian after 180 degrees', async () => {
  const { polygons } = await polygonsOf({ area: { kind: 'state', code: 'AK' } });
  const longitudes = polygons.flat(2).map(([longitude = 0]) => longitude);
  expect(Math.min(...longitudes)).toBeGreaterThan(170);
  expect(Math.max(...longitudes)).toBeLessThan(232);
});

test('a place that was not looked up has no outline, and asking costs nothing', async () => {
  const connected = await product.user();
  await connected.connect('google_places', 'sandbox-outline');
  const before = product.sandbox.meter.rows().length;
  expect(await connected.call(outlineEndpoint, { location: 'Springfield, IL', radius: 8_047 })).toEqual({
    label: 'Springfield, IL',
    outline: null,
  });
  expect(product.sandbox.meter.rows()).toHaveLength(before);
});

test('what is no area is refused in words', async () => {
  const draw = (coordinates: number[][][]) =>
    user.call(outlineEndpoint, { area: { kind: 'polygon', geometry: { type: 'Polygon', coordinates } } });
  await expect(draw([SQUARE.slice(0, 4)])).rejects.toThrow(/The outer ring is not closed/);
  await expect(draw([[...SQUARE.slice(0, 2), [-98.5, 91], ...SQUARE.slice(4)]])).rejects.toThrow(/leaves the earth/);
  await expect(user.call(outlineEndpoint, { area: { kind: 'county', fips: '99999' } })).rejects.toThrow(/No county/);
  await expect(user.call(outlineEndpoint, {})).rejects.toThrow(/Enter a location and a radius/);
});

test('the leaves of a survey are counted for a map, for its owner only', async () => {
  const request = {
    maxResults: 'all' as const,
    queries: ['dentist', 'plumber'],
    area: { kind: 'circle' as const, center: { latitude: 38.5, longitude: -98.5 } },
    radius: 5_000,
  };
  const surveyor = await product.user();
  await surveyor.connect('google_places', 'sandbox-city-120-leaves');
  expect(await surveyor.call(leavesEndpoint, request)).toEqual({ queries: [], leaves: [] });
  await surveyor.call(countAreaEndpoint, request);
  const state = async () => (await surveyor.call(countAreaEndpoint, { ...request, watch: true })).state;
  await expect.poll(state, { timeout: 40_000 }).toBe('counted');
  const { queries, leaves } = await surveyor.call(leavesEndpoint, request);
  expect(queries).toEqual(['dentist', 'plumber']);
  for (const query of [0, 1]) {
    const own = leaves.filter((leaf) => leaf.query === query);
    expect(own.every(({ state: one }) => one === 'complete')).toBe(true);
    expect(own.reduce((sum, { places }) => sum + places, 0)).toBeGreaterThan(0);
  }
  expect(Object.keys(leaves[0] ?? {}).toSorted()).toEqual([
    'east',
    'north',
    'places',
    'query',
    'south',
    'state',
    'west',
  ]);

  const other = await product.user();
  await other.connect('google_places', 'sandbox-city-120-leaves');
  expect((await other.call(leavesEndpoint, request)).leaves).toEqual([]);
});

test('surveys of before are labeled as their counties are called', async () => {
  const counties = listCounties().map(({ fips, name }) => {
    const bare = name.replace(
      / (County|city|Parish|Municipio|Municipality|District|City and Borough|Borough|Census Area)$/,
      '',
    );
    return { fips, label: `${name}, ${codeOf(fips)}`, was: `${bare} County, ${codeOf(fips)}` };
  });
  await sql`
    insert into app.surveys (user_id, sandbox, subject, label, area, frames, queries)
    select ${user.id}::uuid, true, 'old ' || fips, was, jsonb_build_object('kind', 'county', 'fips', fips), '[]', '{dentist}'
    from jsonb_to_recordset(${JSON.stringify(counties)}::jsonb) as county (fips text, was text)
  `.execute(product.db);
  const file = 'supabase/migrations/20261126130700_county_names.sql';
  for (const _ of ['once', 'again']) await sql.raw(await readFile(file, 'utf8')).execute(product.db);
  const rows = await product.db
    .selectFrom('app.surveys')
    .select(['label', 'area'])
    .where('subject', 'like', 'old %')
    .execute();
  expect(rows).toHaveLength(counties.length);
  const labels = new Map(counties.map(({ fips, label }) => [fips, label]));
  for (const { label, area } of rows) expect(label).toBe(labels.get((area as { fips: string }).fips));
});
