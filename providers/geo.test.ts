import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundingBox, metersBetween } from './geo.ts';

const mile = 1609.344;
const latitude = fc.double({ min: -80, max: 80, noNaN: true });
const longitude = fc.double({ min: -180, max: 180, noNaN: true });
const meters = fc.double({ min: 1, max: 100 * mile, noNaN: true });
const nearAntimeridian = fc.oneof(
  fc.double({ min: -180, max: -179.5, noNaN: true }),
  fc.double({ min: 179.5, max: 180, noNaN: true }),
);
const point = fc.record({ latitude, longitude: fc.oneof(longitude, nearAntimeridian) });

test.each([
  [25, 29.905, -98.162, 30.629, -97.324],
  [50, 29.543, -98.581, 30.991, -96.905],
  [100, 28.82, -99.419, 31.714, -96.067],
])('the box around Austin for %i miles', (miles, south, west, north, east) => {
  const { low, high } = boundingBox(30.267153, -97.7430608, miles * mile);
  expect(low.latitude).toBeCloseTo(south, 2);
  expect(low.longitude).toBeCloseTo(west, 2);
  expect(high.latitude).toBeCloseTo(north, 2);
  expect(high.longitude).toBeCloseTo(east, 2);
});

test('a known distance: Springfield to Chicago', () => {
  const miles =
    metersBetween({ latitude: 39.7817, longitude: -89.6501 }, { latitude: 41.8781, longitude: -87.6298 }) / mile;
  expect(miles).toBeGreaterThan(178);
  expect(miles).toBeLessThan(181);
});

test('distance is symmetric, zero to itself, and never above half the circumference', () => {
  fc.assert(
    fc.property(point, point, (a, b) => {
      expect(metersBetween(a, b)).toBeCloseTo(metersBetween(b, a), 3);
      expect(metersBetween(a, a)).toBe(0);
      expect(metersBetween(a, b)).toBeLessThanOrEqual(20_015_200);
    }),
  );
});

test('the box holds every point within the radius, across the antimeridian too', () => {
  fc.assert(
    fc.property(
      point,
      meters,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 2 * Math.PI, noNaN: true }),
      (center, radius, part, bearing) => {
        const target = travel(center, radius * part * 0.999, bearing);
        const { low, high } = boundingBox(center.latitude, center.longitude, radius);
        expect(Math.max(Math.abs(low.longitude), Math.abs(high.longitude))).toBeLessThanOrEqual(180);
        expect(target.latitude).toBeGreaterThanOrEqual(low.latitude);
        expect(target.latitude).toBeLessThanOrEqual(high.latitude);
        const inside =
          low.longitude <= high.longitude
            ? target.longitude >= low.longitude && target.longitude <= high.longitude
            : target.longitude >= low.longitude || target.longitude <= high.longitude;
        expect(inside).toBe(true);
      },
    ),
  );
});

test('the edges of the box lie exactly at the radius to the north and south', () => {
  fc.assert(
    fc.property(point, meters, (center, radius) => {
      const { low, high } = boundingBox(center.latitude, center.longitude, radius);
      for (const edge of [low.latitude, high.latitude]) {
        expect(metersBetween(center, { latitude: edge, longitude: center.longitude })).toBeCloseTo(radius, 0);
      }
    }),
  );
});

test('a box that holds a pole has all longitudes and stays within range', () => {
  const { low, high } = boundingBox(89.9, 20, 100 * mile);
  expect([low.longitude, high.longitude, high.latitude]).toEqual([-180, 180, 90]);
});

/** The point reached by a journey along a great circle. */
function travel(from: { latitude: number; longitude: number }, distance: number, bearing: number) {
  const angle = distance / 6_371_008.8;
  const start = (from.latitude * Math.PI) / 180;
  const end = Math.asin(Math.sin(start) * Math.cos(angle) + Math.cos(start) * Math.sin(angle) * Math.cos(bearing));
  const turn = Math.atan2(
    Math.sin(bearing) * Math.sin(angle) * Math.cos(start),
    Math.cos(angle) - Math.sin(start) * Math.sin(end),
  );
  const raw = from.longitude + (turn * 180) / Math.PI;
  return { latitude: (end * 180) / Math.PI, longitude: raw > 180 ? raw - 360 : raw < -180 ? raw + 360 : raw };
}
