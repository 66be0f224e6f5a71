import { expect, test } from 'vitest';
import { FEDERAL_HOLIDAYS } from './federal-holidays.ts';
import { honorBy, honorClock } from './honor-clock.ts';

test.each([
  // Thanksgiving lies between.
  ['2026-11-23T20:00:00Z', '2026-12-08'],
  // A Saturday.
  ['2026-11-21T20:00:00Z', '2026-12-07'],
  // Christmas and New Year's Day.
  ['2026-12-22T20:00:00Z', '2027-01-07'],
  // July 4, 2026 is a Saturday and observed the day before.
  ['2026-06-29T20:00:00Z', '2026-07-14'],
  ['2026-03-02T20:00:00Z', '2026-03-16'],
  // Monday in New York, and still Sunday in Hawaii.
  ['2026-03-02T06:00:00Z', '2026-03-13'],
  // Beyond the table New Year's Day counts: stricter than the law.
  ['2031-12-30T20:00:00Z', '2032-01-13'],
])('a request of %s must be honored by %s', (at, by) => {
  expect(honorBy(at)).toBe(by);
});

test('the clock counts business days down, and says when they are over', () => {
  const added = '2026-11-23T20:00:00Z';
  const at = (now: string) => honorClock(added, Date.parse(now));
  expect(at('2026-11-23T21:00:00Z')).toEqual({ state: 'running', by: '2026-12-08', left: 10 });
  expect(at('2026-11-26T20:00:00Z')).toEqual({ state: 'running', by: '2026-12-08', left: 8 });
  expect(at('2026-11-28T20:00:00Z')).toEqual({ state: 'running', by: '2026-12-08', left: 7 });
  expect(at('2026-12-08T20:00:00Z')).toEqual({ state: 'running', by: '2026-12-08', left: 0 });
  expect(at('2026-12-09T09:59:00Z')).toEqual({ state: 'running', by: '2026-12-08', left: 0 });
  expect(at('2026-12-09T10:01:00Z')).toEqual({ state: 'over', by: '2026-12-08' });
});

const date = (year: number, month: number, day: number) => new Date(Date.UTC(year, month - 1, day));
/** The nth weekday of a month, 1 for the first; -1 for the last. */
function nth(year: number, month: number, weekday: number, n: number): Date {
  if (n < 0) {
    const last = date(year, month + 1, 0);
    return date(year, month, last.getUTCDate() - ((last.getUTCDay() - weekday + 7) % 7));
  }
  return date(year, month, 1 + ((weekday - date(year, month, 1).getUTCDay() + 7) % 7) + (n - 1) * 7);
}
/** On a weekend it is observed on the Friday before or the Monday after. */
function observed(day: Date): Date {
  const shift = { 6: -1, 0: 1 }[day.getUTCDay()] ?? 0;
  return new Date(day.getTime() + shift * 86_400_000);
}

test('the table holds the federal holidays of its years, as the law computes them', () => {
  const years = [2026, 2027, 2028, 2029, 2030, 2031];
  const computed = [...years, 2032].flatMap((year) =>
    [
      observed(date(year, 1, 1)),
      nth(year, 1, 1, 3),
      nth(year, 2, 1, 3),
      nth(year, 5, 1, -1),
      observed(date(year, 6, 19)),
      observed(date(year, 7, 4)),
      nth(year, 9, 1, 1),
      nth(year, 10, 1, 2),
      observed(date(year, 11, 11)),
      nth(year, 11, 4, 4),
      observed(date(year, 12, 25)),
    ].map((day) => day.toISOString().slice(0, 10)),
  );
  expect([...FEDERAL_HOLIDAYS]).toEqual(computed.filter((day) => day < '2032'));
});
