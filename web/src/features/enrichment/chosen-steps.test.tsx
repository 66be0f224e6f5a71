import { beforeEach, expect, test } from 'vitest';
import { asksHunter, FINDING_STEPS, type FindingStep } from '#contract/work/enrichment-steps.ts';
import { possibleSteps, rememberedSteps, rememberSteps, turned } from './chosen-steps.ts';

beforeEach(() => localStorage.clear());

test.each<[readonly FindingStep[], boolean, readonly FindingStep[]]>([
  [FINDING_STEPS, true, ['open', 'website', 'hunter']],
  [FINDING_STEPS, false, ['open', 'website']],
  [['hunter'], true, ['hunter']],
  [['hunter'], false, ['open', 'website']],
  [['hunter', 'website'], true, ['website', 'hunter']],
])('of %j, Hunter connected: %s', (wanted, hunter, possible) => {
  expect(possibleSteps(wanted, hunter)).toEqual(possible);
});

test('only Hunter is paid', () => {
  expect(asksHunter(['open', 'website'])).toBe(false);
  expect(asksHunter(['website', 'hunter'])).toBe(true);
  expect(asksHunter(['verifier'])).toBe(true);
});

test('a turned switch changes nothing else, and Hunter waits for its key', () => {
  expect(turned(FINDING_STEPS, { step: 'open', on: false, hunter: true })).toEqual(['website', 'hunter']);
  expect(turned(['website'], { step: 'open', on: true, hunter: true })).toEqual(['open', 'website']);
  expect(turned(FINDING_STEPS, { step: 'open', on: false, hunter: false })).toEqual(['website', 'hunter']);
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
