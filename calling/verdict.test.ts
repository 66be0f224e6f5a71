import { expect, test } from 'vitest';
import { createNextCall } from './next-call.ts';
import { asRule } from './own-rules.ts';
import { RULES } from './rules/rule.ts';
import { judgeCall, NOT_CHECKED } from './verdict.ts';

const NOON = Date.parse('2026-12-08T18:00:00Z');
type Question = Parameters<typeof judgeCall>[0];
const CLEAN: Question = {
  phone: '+12175550100',
  state: 'IL',
  postalCode: '62701',
  line: 'landline',
  scrub: { status: 'safe', expired: false },
  at: NOON,
};
const codes = (question: Question) => judgeCall(question).reasons.map(({ code }) => code);
const verdict = (question: Partial<Question>) => judgeCall({ ...CLEAN, ...question }).verdict;

test('a checked number at noon is callable, with the law that says so', () => {
  const answer = judgeCall(CLEAN);
  expect(answer).toMatchObject({ verdict: 'callable', zones: ['America/Chicago'], rulesAsOf: '2026-11-22' });
  expect(answer.window).toMatchObject({ state: 'open', closesAt: Date.parse('2026-12-09T03:00:00Z') });
  expect(answer.reasons).toContainEqual({
    code: 'hours',
    text: 'IL: 08:00–21:00 every day',
    citation: '815 ILCS 413/15',
  });
});

test('the window of today is told, with the law that ends it, and no rows of other days', () => {
  const said = (state: string, postalCode: string, at: string) => {
    const { window, reasons } = judgeCall({ ...CLEAN, phone: '+18005550100', state, postalCode, at: Date.parse(at) });
    return { ...window.today, hours: reasons.filter(({ code }) => code === 'hours').map(({ text }) => text) };
  };
  const federal = 'Federal: 08:00–21:00 every day';
  // New York's Sundays are rows of the same law.
  expect(said('NY', '10001', '2026-12-08T18:00:00Z')).toEqual({
    from: '08:00',
    to: '21:00',
    zone: 'America/New_York',
    citation: 'GBL §399-z',
    hours: [federal, 'NY: 08:00–21:00 Mon, Tue, Wed, Thu, Fri, Sat'],
  });
  expect(said('NY', '10001', '2026-12-06T19:00:00Z')).toMatchObject({
    from: '13:00',
    hours: [federal, 'NY: 13:00–21:00 Sun'],
  });
  expect(said('RI', '02903', '2026-12-12T17:00:00Z')).toMatchObject({ from: '10:00', to: '17:00' });
  // Nothing names Sunday: all rows say why it is closed.
  expect(said('RI', '02903', '2026-12-13T17:00:00Z').hours.filter((text) => text.startsWith('RI:'))).toHaveLength(2);
  // Near Williston, two zones may be meant: 8:00 in the one, 21:00 in the other.
  expect(said('ND', '58801', '2026-12-08T18:00:00Z')).toMatchObject({
    from: '09:00',
    to: '21:00',
    zone: 'America/Chicago',
  });
});

test.each([
  ['TX', '1 Main St, El Paso, TX 79901', '75201', ['America/Chicago', 'America/Denver']],
  ['TX', '1 Main St, Dallas, TX 75201', '79901', ['America/Chicago', 'America/Denver']],
  ['FL', '1 Main St, Pensacola, FL 32501', '33101', ['America/New_York', 'America/Chicago']],
  // One that is not known may lie anywhere.
  ['TX', '1 Main St, El Paso, TX 79901', '99999', ['America/Chicago', 'America/Denver']],
  ['TX', '1 Main St, El Paso, TX 79901', '79901-1234', ['America/Denver']],
])('both ZIP codes of a question count: %s, %s, %s', (state, address, postalCode, zones) => {
  // Calls may begin by now in the east of each state.
  const at = Date.parse(state === 'TX' ? '2026-12-08T15:00:00Z' : '2026-12-08T13:00:00Z');
  const answer = judgeCall({ ...CLEAN, phone: '+18005550100', state, address, postalCode, at });
  expect(answer.zones).toEqual(zones);
  expect(answer.verdict).toBe('not_now');
});

test('what is missing makes it unknown, and never callable', () => {
  expect(verdict({ scrub: { status: 'not_checked', expired: false } })).toBe('unknown');
  expect(verdict({ scrub: { status: 'safe', expired: true } })).toBe('unknown');
  expect(verdict({ scrub: { status: 'safe', expired: false, sandbox: true } })).toBe('unknown');
  expect(verdict({ state: undefined, postalCode: undefined })).toBe('unknown');
  expect(verdict({ phone: undefined })).toBe('unknown');
  expect(verdict({ phone: '+442079460000' })).toBe('unknown');
  expect(verdict({ state: 'NJ', postalCode: '07102', phone: '+19735550100', line: 'unknown' })).toBe('unknown');
});

test('a check that was made later says nothing of a moment before it, unless it speaks against a call', () => {
  const checked = (status: 'safe' | 'dnc' | 'litigator', checkedAt: number) => ({ status, expired: false, checkedAt });
  expect(verdict({ scrub: checked('safe', NOON - 1) })).toBe('callable');
  // The clocks of server and database differ a little.
  expect(verdict({ scrub: checked('safe', NOON + 60_000) })).toBe('callable');
  expect(verdict({ scrub: checked('safe', NOON + 86_400_000) })).toBe('unknown');
  expect(verdict({ scrub: checked('dnc', NOON + 86_400_000) })).toBe('blocked');
  expect(verdict({ scrub: checked('litigator', NOON + 86_400_000) })).toBe('blocked');
});

test('what speaks against it for good blocks it, whatever the hour', () => {
  expect(verdict({ suppressedSince: new Date(NOON) })).toBe('blocked');
  expect(verdict({ scrub: { status: 'dnc', expired: false } })).toBe('blocked');
  expect(verdict({ scrub: { status: 'litigator', expired: true } })).toBe('blocked');
  for (const [state, postalCode, phone] of [
    ['NJ', '07102', '+19735550100'],
    ['AZ', '85003', '+16025550100'],
  ] as const)
    expect(verdict({ state, postalCode, phone, line: 'mobile' })).toBe('blocked');
  // Suppression needs no address and no check.
  expect(
    verdict({ suppressedSince: new Date(NOON), state: undefined, scrub: { status: 'not_checked', expired: false } }),
  ).toBe('blocked');
});

test('outside of the hours it is not now, and it says when it opens', () => {
  const answer = judgeCall({ ...CLEAN, at: Date.parse('2026-12-08T06:00:00Z') });
  expect(answer.verdict).toBe('not_now');
  expect(answer.window).toMatchObject({ state: 'closed', opensAt: Date.parse('2026-12-08T14:00:00Z') });
});

test.each<[string, string | undefined, string]>([
  ['a day off', '2026-12-08', '2026-12-09T14:00:00Z'],
  ['a month off', '2027-01-07', '2027-01-08T14:00:00Z'],
])('%s of the workspace says when it opens', (reason, effectiveTo, opens) => {
  const shut = { id: '1', state: 'IL', days: [], from: '08:00', to: '21:00', effectiveFrom: '2026-12-08', effectiveTo };
  const rules = [...RULES, asRule({ ...shut, reason, addedOn: '2026-12-01' })];
  const { verdict: now, window, reasons } = judgeCall({ ...CLEAN, rules });
  expect(now).toBe('not_now');
  expect(window).toMatchObject({ state: 'closed', opensAt: Date.parse(opens) });
  expect(reasons[0]).toMatchObject({
    code: 'barred',
    text: `Your own rule for IL allows no calls through ${effectiveTo}.`,
  });
  expect(createNextCall({ at: NOON, rules })(CLEAN, NOON + 60 * 86_400_000)?.from).toBe(Date.parse(opens));
});

test.each([
  [
    'a law that could not be verified',
    { state: 'IA', postalCode: '50309', phone: '+15155550100' },
    '2026-12-08T12:00:00Z',
  ],
  [
    'holidays of a year that no table knows',
    { state: 'AL', postalCode: '36104', phone: '+12055550100' },
    '2031-01-01T04:00:00Z',
  ],
])('no opening is told under %s', (_what, place, time) => {
  const { verdict: now, window } = judgeCall({ ...CLEAN, ...place, at: Date.parse(time) });
  expect(now).toBe('not_now');
  expect(window).not.toHaveProperty('opensAt');
});

test('a rule of the workspace without days and without an end blocks for good', () => {
  const shut = {
    id: '1',
    state: 'IL',
    days: [],
    from: '08:00',
    to: '21:00',
    reason: 'No calls',
    addedOn: '2026-12-01',
  };
  const { verdict: now, window } = judgeCall({ ...CLEAN, rules: [...RULES, asRule(shut)] });
  expect(now).toBe('blocked');
  expect(window).toMatchObject({ state: 'barred' });
});

test.each([
  ['MI', '48226', '+13135550100', '2026-12-08T13:30:00Z', '2026-12-08T14:00:00Z'],
  ['NY', '10001', '+12125550100', '2026-12-06T15:00:00Z', '2026-12-06T18:00:00Z'],
  // In the evening only the next morning will do.
  ['NV', '89101', '+17025550100', '2026-12-09T04:30:00Z', '2026-12-09T17:00:00Z'],
])('hours of %s that are read in two ways open once all readings agree', (state, postalCode, phone, now, opens) => {
  const at = Date.parse(now);
  const question = { ...CLEAN, state, postalCode, phone, line: 'landline' as const };
  const answer = judgeCall({ ...question, at });
  expect(answer).toMatchObject({ verdict: 'review', window: { state: 'review', opensAt: Date.parse(opens) } });
  expect(createNextCall({ at })(question, at + 86_400_000)).toMatchObject({
    from: Date.parse(opens),
    isInReview: true,
  });
  // Two states of an address never agree by themselves.
  const torn = { ...question, address: '1 Main St, Springfield, IL 62701' };
  expect(createNextCall({ at })(torn, at + 86_400_000)).toBeUndefined();
});

test('the calls of a day are counted where a law limits them', () => {
  const florida = { state: 'FL', postalCode: '33101', phone: '+13055550100' };
  const hoursAgo = (...hours: number[]) => hours.map((count) => NOON - count * 3_600_000);
  expect(verdict({ ...florida, calls: hoursAgo(1, 2) })).toBe('callable');
  expect(verdict({ ...florida, calls: hoursAgo(1, 2, 23) })).toBe('not_now');
  expect(verdict({ ...florida, calls: hoursAgo(1, 2, 24) })).toBe('not_now');
  // It may have been dialed some minutes after it began.
  expect(verdict({ ...florida, calls: [...hoursAgo(1, 2), NOON - 86_400_000 - 299_999] })).toBe('not_now');
  expect(verdict({ ...florida, calls: [...hoursAgo(1, 2), NOON - 86_400_000 - 300_000] })).toBe('callable');
  expect(verdict({ calls: hoursAgo(1, 2, 3, 4, 5) })).toBe('callable');
});

test('one call is told as one', () => {
  const once = { id: '1', state: 'IL', days: [2], from: '08:00', to: '21:00', cap: { calls: 1, hours: 168 } };
  const rules = [...RULES, asRule({ ...once, reason: 'Once a week', addedOn: '2026-12-01' })];
  const { reasons } = judgeCall({ ...CLEAN, calls: [NOON - 1], rules });
  expect(reasons[0]?.text).toBe(
    'Called 1 time in 168 hours, counting all numbers of the business. Your own rule for IL allows 1.',
  );
});

test('a ZIP code of the armed forces abroad beside a state must be looked at, and none is callable alone', () => {
  for (const postalCode of ['09012', '96204', '34004', '96940']) {
    expect(verdict({ state: 'IL', postalCode })).toBe('review');
    expect(verdict({ state: undefined, postalCode })).toBe('unknown');
  }
  expect(verdict({ state: undefined, postalCode: undefined, address: 'PSC 1 Box 2, Springfield, IL 09012' })).toBe(
    'review',
  );
});

test('sources that name two states must be looked at', () => {
  expect(verdict({ state: 'TX', postalCode: '62701' })).toBe('review');
});

test('an administrator may leave out rules for residences, for landlines only', () => {
  const evening = { state: 'MA', postalCode: '02108', phone: '+16175550100', at: Date.parse('2026-12-09T01:30:00Z') };
  expect(verdict(evening)).toBe('not_now');
  expect(verdict({ ...evening, leniency: { businessLandlines: true } })).toBe('callable');
  expect(verdict({ ...evening, line: 'unknown', leniency: { businessLandlines: true } })).toBe('not_now');
  const morning = { state: 'IN', postalCode: '46204', phone: '+13175550100', at: Date.parse('2026-12-08T13:30:00Z') };
  expect(verdict(morning)).toBe('not_now');
  expect(verdict({ ...morning, leniency: { dialedByHand: true } })).toBe('callable');
});

test('Arizona bars sales calls to mobiles, and a line of an unknown kind may be one', () => {
  const phoenix = { state: 'AZ', postalCode: '85003', phone: '+16025550100' };
  expect(verdict({ ...phoenix, line: 'landline' })).toBe('callable');
  expect(verdict({ ...phoenix, line: 'unknown' })).toBe('unknown');
  expect(verdict({ ...phoenix, line: 'mobile' })).toBe('blocked');
  expect(verdict({ ...phoenix, line: 'unknown', scrub: { status: 'not_checked', expired: false } })).toBe('unknown');
});

test('a rule that no one has reviewed for half a year says so', () => {
  expect(codes(CLEAN)).not.toContain('review_due');
  expect(codes({ ...CLEAN, at: Date.parse('2027-06-08T18:00:00Z') })).toContain('review_due');
});

test('what bars calls in an emergency is said with its law, since no verdict looks at it', () => {
  const said = NOT_CHECKED.find((one) => one.includes('emergency')) ?? '';
  for (const [state, law] of [
    ['New York', 'GBL §399-z(5-a)'],
    ['Louisiana', 'LA PSC General Order R-29617'],
  ] as const)
    expect(said).toMatch(new RegExp(`${state}[^(]*\\(${law.replaceAll(/[().]/g, '\\$&')}\\)`));
});
