import { expect, test } from 'vitest';
import { NewOwnRule } from '#contract/calling/rules.ts';
import { EMPTY_RULE, hasLapsed, ruleText, toRule } from './rule-words.ts';

test('a draft becomes a rule, and a rule a line', () => {
  const draft = {
    ...EMPTY_RULE,
    state: ' fl ',
    calls: '2',
    hours: '24',
    effectiveFrom: '2026-12-01',
    reason: ' Rest ',
  };
  const rule = toRule(draft);
  expect(NewOwnRule.parse(rule)).toEqual(rule);
  const decided = { id: '1', added: { by: 'a@b.example', at: '', reason: 'Rest' } };
  expect(ruleText({ ...rule, ...decided })).toBe(
    'FL: 9:00 AM–5:00 PM Mon, Tue, Wed, Thu, Fri; at most 2 calls in 24 hours; from Dec 1, 2026',
  );
  expect(ruleText({ ...rule, ...decided, state: 'US', days: [], effectiveTo: '2026-12-25' })).toContain(
    'Everywhere: no calls; at most 2 calls in 24 hours; from Dec 1, 2026; until Dec 25, 2026',
  );
  expect(ruleText({ ...rule, ...decided, cap: { calls: 1, hours: 1 } })).toContain('at most 1 call in 1 hour;');
  const lastDay = { ...rule, ...decided, effectiveTo: '2026-12-25' };
  expect(hasLapsed(lastDay, Date.parse('2026-12-26T10:59:00Z'))).toBe(false);
  expect(hasLapsed(lastDay, Date.parse('2026-12-26T11:00:00Z'))).toBe(true);
  expect(toRule({ ...EMPTY_RULE, state: 'IL' })).not.toHaveProperty('cap');
});

test('what is missing in a draft is named', () => {
  const errors = NewOwnRule.safeParse(toRule({ ...EMPTY_RULE, calls: '2', from: '07:00' })).error?.issues;
  expect(errors?.map(({ path }) => path.join('.'))).toEqual(expect.arrayContaining(['state', 'cap.hours', 'reason']));
});
