import { expect, test } from 'vitest';
import { verdictsText } from './verdicts-text.ts';

test('counts and cost in one line', () => {
  expect(verdictsText({ total: 1200, safe: 1199, flagged: 1, cost: 24 })).toBe(
    '1,200 leads checked · 1,199 safe · 1 flagged · $24.00',
  );
});

test('verdicts that were paid for elsewhere, and none at all', () => {
  expect(verdictsText({ total: 1, safe: 1, flagged: 0, cost: 0 })).toBe(
    '1 lead checked · 1 safe · 0 flagged · nothing paid',
  );
  expect(verdictsText({ total: 0, safe: 0, flagged: 0, cost: 0 })).toBeUndefined();
});
