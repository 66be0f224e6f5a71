import fc from 'fast-check';
import { expect, test } from 'vitest';
import { misfitsOwnRules } from './beside-own-rules.ts';
import { asRule, type OwnRule } from './own-rules.ts';
import { RULES } from './rules/rule.ts';
import { windowAt } from './window/window-at.ts';

/** A Tuesday. */
const TODAY = '2026-12-01';
const HALF_HOUR_MS = 1_800_000;
const WEEKDAYS = [1, 2, 3, 4, 5];
const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];

const rule = (part: Partial<OwnRule>): OwnRule => ({
  id: 'rule',
  state: 'IL',
  days: WEEKDAYS,
  from: '09:00',
  to: '17:00',
  reason: 'Office hours',
  addedOn: TODAY,
  ...part,
});
const misfits = (older: Partial<OwnRule>[], wanted: Partial<OwnRule>) =>
  misfitsOwnRules(rule(wanted), older.map(rule), TODAY);

test.each<[string, Partial<OwnRule>[], Partial<OwnRule>, RegExp]>([
  ['a cap for every day', [{}], { days: EVERY_DAY, cap: { calls: 2, hours: 24 } }, /^They close Sunday from 09:00/],
  ['a day more', [{}], { days: [6], from: '10:00', to: '14:00' }, /^They close Saturday from 10:00 to 14:00\.$/],
  ['hours apart', [{ days: [1], to: '12:00' }], { days: [1], from: '13:00' }, /^They close Monday from 13:00/],
  ['fewer days of the same hours', [{ days: [1, 2, 3, 4, 5, 6] }], {}, /takes none away/],
  ['a day more from the day on which the older begins', [{ effectiveFrom: '2027-03-01' }], { days: [6] }, /Saturday/],
])('%s is refused', (_, older, wanted, words) => {
  expect(misfits(older, wanted).join(' ')).toMatch(words);
});

test.each<[string, Partial<OwnRule>[], Partial<OwnRule>]>([
  ['shorter hours of a day', [{ days: [1, 2, 3, 4, 5, 6] }], { days: [6], from: '10:00', to: '14:00' }],
  ['a cap for the same days', [{}], { cap: { calls: 2, hours: 24 } }],
  ['a rule of another state', [{ state: 'OH' }], { days: EVERY_DAY }],
  [
    'one that begins when the older has ended',
    [{ effectiveTo: '2026-12-31' }],
    { effectiveFrom: '2027-01-01', days: [6] },
  ],
  ['one without an end beside one that ends', [{ effectiveTo: '2026-12-31' }], {}],
  ['a day off', [{}], { days: [] }],
  ['all days on one day that is open', [{}], { days: EVERY_DAY, to: '12:00', effectiveTo: TODAY }],
  ['one that holds behind a time without calls', [{ days: [], effectiveTo: '2026-12-31' }], { days: EVERY_DAY }],
])('%s is accepted', (_, older, wanted) => {
  expect(misfits(older, wanted)).toEqual([]);
});

const anyDate = fc.constantFrom(undefined, undefined, '2026-11-20', '2026-12-04', '2026-12-08', '2026-12-13');
const anyRule = fc
  .record({
    state: fc.constantFrom('IL', 'IL', 'IL', 'US'),
    days: fc.oneof(fc.constantFrom([], [1], [6], WEEKDAYS, EVERY_DAY), fc.subarray(EVERY_DAY)),
    from: fc.constantFrom('08:00', '09:00', '10:30', '13:00'),
    to: fc.constantFrom('14:00', '12:00', '17:00', '21:00'),
    effectiveFrom: anyDate,
    effectiveTo: anyDate,
  })
  .filter(({ from, to, effectiveFrom, effectiveTo }) => from < to && (effectiveFrom ?? '') <= (effectiveTo ?? '9'));

const isOpen = (own: readonly OwnRule[], at: number) =>
  windowAt({
    states: ['IL'],
    zones: ['America/Chicago'],
    line: 'landline',
    at,
    rules: [...RULES, ...own.map(asRule)],
  }).state === 'open';

test('rules for different days that were stored before do not bar each other, and hours of one day narrow', () => {
  const own = [rule({}), rule({ days: [6], from: '10:00', to: '14:00' }), rule({ days: [1], from: '11:00' })];
  const open = (time: string) => isOpen(own, Date.parse(`2026-12-${time}:00-06:00`));
  expect(['04T10:30', '05T10:30', '05T09:30', '06T10:30', '07T10:30', '07T11:30'].map(open)).toEqual([
    true,
    true,
    false,
    false,
    false,
    true,
  ]);
  expect(isOpen([...own, rule({ days: [1], to: '10:00' })], Date.parse('2026-12-07T11:30:00-06:00'))).toBe(false);
});

test('no rule that is accepted opens a moment that was closed before', () => {
  let accepted = 0;
  fc.assert(
    fc.property(
      fc.array(anyRule, { minLength: 2, maxLength: 5 }),
      fc.array(fc.nat(20 * 48), { minLength: 10, maxLength: 10 }),
      (drafts, steps) => {
        let own: OwnRule[] = [];
        for (const [at, draft] of drafts.entries()) {
          const wanted = rule({ ...draft, id: String(at) });
          if (misfitsOwnRules(wanted, own, TODAY).length > 0) continue;
          const after = [...own, wanted];
          for (const step of steps) {
            const moment = Date.parse(`${TODAY}T06:00:00Z`) + step * HALF_HOUR_MS;
            if (isOpen(after, moment) && !isOpen(own, moment))
              throw new Error(`${new Date(moment).toISOString()} opens`);
          }
          if (own.length > 0) accepted += 1;
          own = after;
        }
      },
    ),
    { numRuns: 1_000 },
  );
  expect(accepted).toBeGreaterThan(300);
}, 60_000);
