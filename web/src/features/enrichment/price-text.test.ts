import type { UseQueryResult } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import type { EnrichmentEstimate } from '#contract/work/enrichment.ts';
import type { EnrichmentStep } from '#contract/work/enrichment-steps.ts';
import { enrichmentPriceLine, enrichmentPriceText } from './price-text.ts';

const NOTHING = {
  leads: 1,
  suppressed: 0,
  withoutWebsite: 0,
  onSharedHost: 0,
  toLookUp: 0,
  toVisit: 0,
  foundFree: 0,
  known: 0,
  toVerify: 0,
  verified: 0,
  elsewhere: 0,
  boundMicros: 0,
  callMicros: 20_000,
};

const ALL = ['open', 'website', 'hunter'] as const;

test('what is looked up, and what is known', () => {
  const counted = { ...NOTHING, leads: 48, toLookUp: 31, known: 9, elsewhere: 12 };
  expect(enrichmentPriceText(counted, ['hunter'])).toBe(
    '48 leads · 31 domains to look up · 9 already known · 12 leads also in your other lists',
  );
  expect(enrichmentPriceText({ ...NOTHING, toLookUp: 1 }, ALL)).toBe('1 lead · 1 domain to look up');
});

test('what is visited may leave less for Hunter', () => {
  const counted = { ...NOTHING, leads: 48, toVisit: 31, foundFree: 9, toLookUp: 28 };
  expect(enrichmentPriceText(counted, ALL)).toBe(
    '48 leads · 31 websites to visit · 9 found for free · at most 28 domains to look up',
  );
});

test('without Hunter nothing is said of what it would be asked', () => {
  const counted = { ...NOTHING, leads: 48, toVisit: 31 };
  expect(enrichmentPriceText(counted, ['open', 'website'])).toBe('48 leads · 31 websites to visit');
});

test('there is nothing to do only where no lead has a website of its own', () => {
  const nothing = (estimate: EnrichmentEstimate, steps: readonly EnrichmentStep[]) =>
    enrichmentPriceLine({ data: estimate } as UseQueryResult<EnrichmentEstimate>, 3, steps).price?.nothing;
  expect(nothing({ ...NOTHING, leads: 3, withoutWebsite: 1, onSharedHost: 1, suppressed: 1 }, ALL)).toMatch(/No lead/);
  // Its website was visited not long ago and had no address: the visit is written to its lead all the same.
  expect(nothing({ ...NOTHING, leads: 3, withoutWebsite: 2 }, ['website'])).toBeUndefined();
});

test('what is free has no list price', () => {
  const price = (steps: readonly EnrichmentStep[]) =>
    enrichmentPriceLine({ data: undefined } as UseQueryResult<EnrichmentEstimate>, 3, steps).listMicros;
  expect(price(['open', 'website'])).toBe(0);
  expect(price(ALL)).toBe(150_000);
});

test('what is verified is said, and what is known of it', () => {
  const counted = { ...NOTHING, leads: 48, toVerify: 40, verified: 5, foundFree: 9 };
  expect(enrichmentPriceText(counted, ['verifier'])).toBe('48 leads · 40 emails to verify · 5 already checked');
  expect(enrichmentPriceText({ ...counted, toLookUp: 3 }, ['hunter', 'verifier'])).toBe(
    '48 leads · 9 found for free · 3 domains to look up · at most 40 emails to verify · 5 already checked',
  );
  const line = (estimate: EnrichmentEstimate) =>
    enrichmentPriceLine({ data: estimate } as UseQueryResult<EnrichmentEstimate>, 48, ['verifier']);
  expect(line(counted).price?.nothing).toBeUndefined();
  expect(line({ ...counted, toVerify: 0 }).price?.nothing).toBeUndefined();
  expect(line({ ...NOTHING, leads: 48 }).price?.nothing).toMatch(/No email needs to be verified/);
  expect(line(counted).listMicros).toBe(1_200_000);
});
