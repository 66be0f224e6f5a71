import { describe, expect, test } from 'vitest';
import { costBreakdown, initialChoice, offeredTiers, preselectedTier } from './enrichment-options.ts';

describe('what is preselected', () => {
  test.each([
    [{ tier2Complete: false, tier4Complete: false }, 2, [2], true],
    [{ tier2Complete: false, tier4Complete: true }, 2, [2], true],
    [{ tier2Complete: true, tier4Complete: false }, 4, [], false],
    [{ tier2Complete: true, tier4Complete: true }, undefined, [], false],
  ] as const)('%o', (list, tier, offered, emails) => {
    expect(preselectedTier(list)).toBe(tier);
    expect(offeredTiers(list)).toEqual(offered);
    expect(initialChoice(list)).toEqual({ emails, verify: false, compliance: false });
  });
});

test.each([
  [{ emails: true, verify: false, compliance: false }, [2_400_000], 2_400_000],
  [{ emails: false, verify: false, compliance: true }, [960_000], 960_000],
  [{ emails: true, verify: false, compliance: true }, [2_400_000, 960_000], 3_360_000],
  [{ emails: false, verify: false, compliance: false }, [], 0],
  [{ emails: false, verify: true, compliance: false }, [1_200_000], 1_200_000],
  [{ emails: true, verify: true, compliance: false }, [2_400_000, 1_200_000], 3_600_000],
] as const)('48 leads cost %o', (choice, lines, totalMicros) => {
  const breakdown = costBreakdown(48, choice, ['website', 'hunter', ...(choice.verify ? (['verifier'] as const) : [])]);
  expect(breakdown.lines.map((line) => line.totalMicros)).toEqual(lines);
  expect(breakdown.totalMicros).toBe(totalMicros);
});

test('without Hunter only the check is paid', () => {
  const breakdown = costBreakdown(48, { emails: true, verify: false, compliance: true }, ['open', 'website']);
  expect(breakdown.lines.map((line) => line.totalMicros)).toEqual([0, 960_000]);
  expect(breakdown.totalMicros).toBe(960_000);
});
