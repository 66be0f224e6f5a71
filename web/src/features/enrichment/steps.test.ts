import { beforeEach, expect, test } from 'vitest';
import { ENRICHMENT_STEPS, type EnrichmentStep } from '#contract/work/enrichment-steps.ts';
import { isPaid, possibleSteps, rememberedSteps, rememberSteps, turned } from './steps.ts';

beforeEach(() => localStorage.clear());

test.each<[readonly EnrichmentStep[], boolean, readonly EnrichmentStep[]]>([
  [ENRICHMENT_STEPS, true, ['open', 'website', 'hunter']],
  [ENRICHMENT_STEPS, false, ['open', 'website']],
  [['hunter'], true, ['hunter']],
  [['hunter'], false, ['open', 'website']],
  [['hunter', 'website'], true, ['website', 'hunter']],
])('of %j, Hunter connected: %s', (wanted, hunter, possible) => {
  expect(possibleSteps(wanted, hunter)).toEqual(possible);
});

test('only Hunter is paid', () => {
  expect(isPaid(['open', 'website'])).toBe(false);
  expect(isPaid(['website', 'hunter'])).toBe(true);
});

test('a turned switch changes nothing else, and Hunter waits for its key', () => {
  expect(turned(ENRICHMENT_STEPS, { step: 'open', on: false, hunter: true })).toEqual(['website', 'hunter']);
  expect(turned(['website'], { step: 'open', on: true, hunter: true })).toEqual(['open', 'website']);
  expect(turned(ENRICHMENT_STEPS, { step: 'open', on: false, hunter: false })).toEqual(['website', 'hunter']);
  // Only Hunter was wanted, so the free steps stood in for it.
  expect(turned(['hunter'], { step: 'open', on: false, hunter: false })).toEqual(['website', 'hunter']);
});

test('the last choice is remembered for its person, and nonsense is not believed', () => {
  expect(rememberedSteps('ada')).toEqual(['open', 'website', 'hunter']);
  rememberSteps('ada', ['website']);
  expect(rememberedSteps('ada')).toEqual(['website']);
  expect(rememberedSteps('otto')).toEqual(['open', 'website', 'hunter']);
  for (const nonsense of ['[]', '["guess"]', '{', 'null']) {
    localStorage.setItem('enrichment-steps:ada', nonsense);
    expect(rememberedSteps('ada')).toEqual(['open', 'website', 'hunter']);
  }
});
