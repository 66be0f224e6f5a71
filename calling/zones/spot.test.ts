import { expect, test } from 'vitest';
import { zipCenters } from '#area/named/zip-codes.ts';
import { judgeCall } from '#calling/verdict.ts';
import { placeOf } from './zones-of.ts';

const phone = '+18005550101';
const SPRINGFIELD = { latitude: 39.8, longitude: -89.65 };
const LOS_ANGELES = { latitude: 34.05, longitude: -118.24 };
const judge = (address: string, coordinates: { latitude: number; longitude: number }, at: string) =>
  judgeCall({
    phone,
    address,
    coordinates,
    line: 'landline',
    scrub: { status: 'safe', expired: false },
    at: Date.parse(at),
  });

test.each([
  ['1 Head Office Way, Los Angeles, CA 90001', SPRINGFIELD, '2026-12-02T03:30:00Z', 'CA', 'IL'],
  ['1 Main Street, Springfield, IL 62701, USA', LOS_ANGELES, '2026-12-01T14:30:00Z', 'IL', 'CA'],
  ['1 Main Street, Nashville, TN 37201, USA', LOS_ANGELES, '2026-12-01T14:30:00Z', 'TN', 'CA'],
  // The same clocks, and another law.
  [
    '1 Main Street, Springfield, IL 62701, USA',
    { latitude: 32.37, longitude: -86.3 },
    '2026-12-06T18:00:00Z',
    'IL',
    'AL',
  ],
])('%s with coordinates elsewhere is for people to look at, at the clocks and by the laws of both', (...row) => {
  const [address, coordinates, at, named, there] = row;
  const { verdict, states, zones, reasons } = judge(address, coordinates, at);
  expect(verdict).toBe('review');
  expect(states).toEqual([named, there]);
  expect(zones).toEqual(expect.arrayContaining(placeOf({ phone, state: there, coordinates })?.zones ?? []));
  expect(reasons[0]?.text).toBe(`The address names ${named}, and the coordinates lie in ${there}.`);
});

test.each([
  { latitude: 51.5, longitude: -0.1 },
  { latitude: 51.05, longitude: -114.07 },
  { latitude: 0, longitude: 0 },
])('coordinates abroad or at sea are for people to look at: %j', (coordinates) => {
  const { verdict, reasons } = judge('1 Main Street, Springfield, IL 62701', coordinates, '2026-12-01T18:00:00Z');
  expect(verdict).toBe('review');
  expect(reasons[0]).toMatchObject({ code: 'address_conflict', text: expect.stringContaining('time zone') });
});

test('just across a border the clocks of both sides count, and no one need look', () => {
  const { verdict, states, zones } = judge(
    '1 River Road, Phenix City, AL 36867',
    { latitude: 32.46, longitude: -84.95 },
    '2026-12-02T01:30:00Z',
  );
  expect({ verdict, states, zones }).toEqual({
    verdict: 'not_now',
    states: ['AL'],
    zones: ['America/Chicago', 'America/New_York'],
  });
});

test('what is no spot on earth says nothing', () => {
  const coordinates = { latitude: 95, longitude: Number.NaN };
  expect(placeOf({ phone, state: 'IL', coordinates })).toEqual({ states: ['IL'], zones: ['America/Chicago'] });
});

test('the middle of each ZIP code lies where its address says', () => {
  const elsewhere = [...zipCenters()].filter(
    ([postalCode, { state, ...coordinates }]) => placeOf({ phone, state, postalCode, coordinates })?.conflict,
  );
  expect(elsewhere).toEqual([]);
});
