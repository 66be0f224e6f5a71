import { expect, test } from 'vitest';
import { localTimes, timeIn, timesIn, zonesText } from './local-time.ts';

const NOON = Date.parse('2026-11-24T18:00:00Z');

test('each zone has its time, and the same time stands once', () => {
  expect(localTimes(['America/Chicago', 'America/New_York'], NOON)).toEqual(['12:00 PM CST', '1:00 PM EST']);
  expect(localTimes(['America/New_York', 'America/Detroit'], NOON)).toEqual(['1:00 PM EST']);
  expect(localTimes([], NOON)).toEqual([]);
});

test('a moment names its day only where that is not today there', () => {
  expect(timeIn('America/Chicago', '2026-11-24T23:00:00Z', NOON)).toBe('5:00 PM CST');
  expect(timeIn('Pacific/Honolulu', '2026-11-25T18:00:00Z', NOON)).toBe('Wed, Nov 25, 8:00 AM HST');
  expect(timeIn('America/Chicago', '2027-01-25T18:00:00Z', NOON)).toBe('Mon, Jan 25, 2027, 12:00 PM CST');
  expect(timeIn('America/Chicago', 'nonsense', NOON)).toBe('');
});

test('a moment is told by the clocks of all zones, the same time once', () => {
  const zones = ['America/Chicago', 'America/Indiana/Knox', 'America/New_York'];
  expect(timesIn(zones, '2026-11-24T23:00:00Z', NOON)).toBe('5:00 PM CST or 6:00 PM EST');
});

test('zones are named by their place', () => {
  expect(zonesText(['America/New_York', 'America/Indiana/Knox'])).toBe('New York and Indiana, Knox');
});
