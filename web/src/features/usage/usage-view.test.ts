import { expect, test } from 'vitest';
import { changeUsageView, daysIn, periodProblem, readUsageView } from './usage-view.ts';

const read = (query: string, now = '2026-03-05T23:30:00Z') =>
  readUsageView(new URLSearchParams(query), Date.parse(now));

test.each([
  ['', '2026-03-01', '2026-03-05'],
  ['period=last-month', '2026-02-01', '2026-02-28'],
  ['period=30-days', '2026-02-04', '2026-03-05'],
  ['period=custom&from=2026-01-10&to=2026-01-12', '2026-01-10', '2026-01-12'],
  ['period=custom&from=nonsense', '2026-03-01', '2026-03-05'],
  ['period=forever', '2026-03-01', '2026-03-05'],
])('%j is %s to %s', (query, from, to) => {
  expect(read(query)).toMatchObject({ from, to });
});

test('last month of January is December', () => {
  expect(read('period=last-month', '2026-01-31T00:00:00Z')).toMatchObject({ from: '2025-12-01', to: '2025-12-31' });
});

test('only chosen days stand in the address', () => {
  expect(String(changeUsageView(read(''), { period: '30-days', money: 'sandbox' }))).toBe(
    'period=30-days&money=sandbox',
  );
  expect(String(changeUsageView(read('period=last-month'), { period: 'custom' }))).toBe(
    'period=custom&from=2026-02-01&to=2026-02-28',
  );
});

test('what cannot be added up says why', () => {
  expect(periodProblem({ from: '2026-02-01', to: '2026-01-31' })).toMatch(/after/);
  expect(periodProblem({ from: '2025-01-01', to: '2026-01-02' })).toMatch(/366/);
  expect(periodProblem({ from: '2025-01-01', to: '2026-01-01' })).toBeUndefined();
});

test('every day of a period', () => {
  expect(daysIn({ from: '2026-02-27', to: '2026-03-01' })).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
});
