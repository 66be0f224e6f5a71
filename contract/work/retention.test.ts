import { expect, test } from 'vitest';
import { retentionBadge } from './retention.ts';

const DAY_MS = 86_400_000;
const start = Date.parse('2026-10-01T12:00:00Z');
const iso = new Date(start).toISOString();
const active = { archived: false, archivedAt: undefined, retentionFrom: iso };
const archived = { archived: true, archivedAt: iso, retentionFrom: iso };

test.each([
  [0, undefined],
  [24, undefined],
  [24.99, undefined],
  [25, 'Archives in 5 days'],
  [28, 'Archives in 2 days'],
  [29, 'Archives in 1 day'],
  [29.99, 'Archives in 1 day'],
  [30, undefined],
])('an active list %d days old', (days, badge) => {
  expect(retentionBadge(active, start + days * DAY_MS)).toBe(badge);
});

test.each([
  [0, 'Deletes in 30 days'],
  [1, 'Deletes in 29 days'],
  [29, 'Deletes in 1 day'],
  [30, 'Deletes in 0 days'],
  [45, 'Deletes in 0 days'],
])('a list archived %d days ago', (days, badge) => {
  expect(retentionBadge(archived, start + days * DAY_MS)).toBe(badge);
});
