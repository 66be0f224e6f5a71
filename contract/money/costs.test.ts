import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  dollarsToMicros,
  enrichmentEstimateMicros,
  microsToDollars,
  searchEstimateMicros,
  searchSavings,
} from './costs.ts';

test('60 results cost $1.02 and save $19.98 to $88.98', () => {
  expect(searchEstimateMicros(60)).toBe(1_020_000);
  expect(searchSavings(60)).toEqual({
    low: { savedMicros: 19_980_000, percent: 95 },
    high: { savedMicros: 88_980_000, percent: 99 },
  });
});

test('enrichment and compliance add up per lead', () => {
  expect(enrichmentEstimateMicros(48, { emails: true, compliance: false })).toBe(2_400_000);
  expect(enrichmentEstimateMicros(48, { emails: false, compliance: true })).toBe(960_000);
  expect(enrichmentEstimateMicros(48, { emails: true, compliance: true })).toBe(3_360_000);
  expect(enrichmentEstimateMicros(48, { emails: false, compliance: false })).toBe(0);
});

test('estimates are whole, grow with the leads, and savings never exceed what is bought elsewhere', () => {
  fc.assert(
    fc.property(fc.nat(100_000), fc.nat(1_000), (leads, more) => {
      const options = { emails: true, compliance: true };
      expect(Number.isSafeInteger(enrichmentEstimateMicros(leads, options))).toBe(true);
      expect(enrichmentEstimateMicros(leads + more, options)).toBeGreaterThanOrEqual(
        enrichmentEstimateMicros(leads, options),
      );
      const { low, high } = searchSavings(leads);
      expect(low.savedMicros).toBeLessThanOrEqual(high.savedMicros);
      expect(high.percent).toBeGreaterThanOrEqual(low.percent);
      expect(high.percent).toBeLessThanOrEqual(100);
    }),
  );
});

test('dollars and micro-dollars convert back and forth', () => {
  fc.assert(
    fc.property(fc.nat(10_000_000_000), (micros) => {
      expect(dollarsToMicros(microsToDollars(micros))).toBe(micros);
    }),
  );
});
