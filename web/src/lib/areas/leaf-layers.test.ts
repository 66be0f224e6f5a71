import { expect, test } from 'vitest';
import { cellText, leafLayers } from './leaf-layers.ts';

const leaf = (west: number, east: number, query = 0) => ({
  south: 510_000_000,
  west: west * 1e7,
  north: 520_000_000,
  east: east * 1e7,
  query,
  state: 'complete' as const,
  places: 43,
});

test('each business type has the leaves of its own', () => {
  const layers = leafLayers(['dentist', 'plumber'], [leaf(-90, -89), leaf(-89, -88, 1), leaf(-88, -87, 1)]);
  expect(layers.map(({ name, cells }) => [name, cells.length])).toEqual([
    ['dentist', 1],
    ['plumber', 2],
  ]);
  expect(layers[0]?.cells[0]).toEqual({ south: 51, west: -90, north: 52, east: -89, tone: 'done', count: 43 });
});

test('leaves on both sides of the antimeridian lie beside each other', () => {
  const [layer] = leafLayers(['dentist'], [leaf(178, 180), leaf(-180, -178)]);
  expect(layer?.cells.map(({ west, east }) => [west, east])).toEqual([
    [178, 180],
    [180, 182],
  ]);
});

test('a leaf is told by its state and its places', () => {
  expect(cellText({ tone: 'done', count: 1 })).toBe('Complete · 1 place');
  expect(cellText({ tone: 'open', count: 0 })).toBe('Not looked at yet');
  expect(cellText({ tone: 'danger', count: 0 })).toBe('No answer · 0 places');
});
