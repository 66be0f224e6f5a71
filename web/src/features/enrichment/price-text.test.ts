import { expect, test } from 'vitest';
import { enrichmentPriceText } from './price-text.ts';

const NOTHING = {
  leads: 1,
  suppressed: 0,
  withoutWebsite: 0,
  onSharedHost: 0,
  toLookUp: 0,
  toVisit: 0,
  foundFree: 0,
  known: 0,
  elsewhere: 0,
  boundMicros: 0,
  callMicros: 20_000,
};

test('what is looked up, and what is known', () => {
  expect(enrichmentPriceText({ ...NOTHING, leads: 48, toLookUp: 31, known: 9, elsewhere: 12 })).toBe(
    '48 leads · 31 domains to look up · 9 already known · 12 leads also in your other lists',
  );
  expect(enrichmentPriceText({ ...NOTHING, toLookUp: 1 })).toBe('1 lead · 1 domain to look up');
});
