import { expect, test } from 'vitest';
import { readGeometry } from './read-geometry.ts';

const RING = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 0],
];
const POLYGON = { type: 'Polygon', coordinates: [RING] };
const read = (value: unknown) => readGeometry(JSON.stringify(value));

test('reads a geometry, a feature, and several features as one area', () => {
  const feature = { type: 'Feature', properties: {}, geometry: POLYGON };
  const two = { type: 'MultiPolygon', coordinates: [[RING], [RING]] };
  expect(read(POLYGON)).toEqual({ geometry: POLYGON });
  expect(read(feature)).toEqual({ geometry: POLYGON });
  expect(read({ type: 'FeatureCollection', features: [feature] })).toEqual({ geometry: POLYGON });
  expect(read({ type: 'FeatureCollection', features: [feature, feature] })).toEqual({ geometry: two });
});

test('says what is wrong with text that is none', () => {
  expect(readGeometry(' ')).toEqual({});
  expect(readGeometry('{"type":').error).toContain('not JSON');
  for (const wrong of [{ type: 'Point', coordinates: [0, 0] }, [], { type: 'FeatureCollection', features: [] }])
    expect(read(wrong).error).toContain('not a GeoJSON Polygon');
});
