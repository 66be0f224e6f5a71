import { expect, test } from 'vitest';
import type { Meter } from '#contract/money/meters.ts';
import { meterText } from './meter-words.ts';

const meter = (more: Partial<Meter>): Meter => ({
  provider: 'searchbug',
  state: 'agrees',
  since: '2026-11-20T09:00:00Z',
  readAt: '2026-11-21T09:00:00Z',
  metered: 200_000,
  booked: 180_000,
  uncertain: 0,
  ...more,
});

test('drift is said with both numbers', () => {
  expect(meterText('searchbug', meter({ state: 'drifts' }))).toMatch(/counted \$0\.20, but the ledger shows \$0\.18\./);
  expect(meterText('hunter_io', meter({ state: 'drifts', metered: 3.5, booked: 1 }))).toMatch(
    /counted 3\.5 credits, but the ledger shows 1 credit\./,
  );
});

test('what is not certain is named', () => {
  expect(meterText('searchbug', meter({ uncertain: 20_000 }))).toMatch(/\$0\.18 and \$0\.02 that are not certain\.$/);
});

test('before the first reading it says what it costs', () => {
  expect(meterText('hunter_io', undefined)).toBe(
    'Asks Hunter.io what it has counted, free of charge. Runs also do this when they end.',
  );
});
