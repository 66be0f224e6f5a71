import { expect, test } from 'vitest';
import { compliancePriceText } from './price-text.ts';

const NOTHING = {
  leads: 1,
  suppressed: 0,
  withoutPhone: 0,
  notUs: 0,
  toCheck: 0,
  expired: 0,
  known: 0,
  lost: 0,
  elsewhere: 0,
  boundMicros: 0,
  callMicros: 20_000,
};

test('what is checked, what has expired, what is known and what was lost', () => {
  expect(
    compliancePriceText({
      ...NOTHING,
      leads: 48,
      toCheck: 40,
      suppressed: 2,
      known: 5,
      expired: 3,
      lost: 2,
      elsewhere: 1,
    }),
  ).toBe(
    '48 leads · 40 US numbers to check, 3 of them expired · 2 suppressed · 5 already known · 2 with a lost result · 1 lead also in your other lists',
  );
  expect(compliancePriceText({ ...NOTHING, toCheck: 1 })).toBe('1 lead · 1 US number to check');
});
