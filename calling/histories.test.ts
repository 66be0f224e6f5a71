import fc from 'fast-check';
import { expect, test } from 'vitest';
import { VERDICTS } from './findings.ts';
import { createNextCall } from './next-call.ts';
import { asRule } from './own-rules.ts';
import { RULES } from './rules/rule.ts';
import { type CallQuestion, createJudge, type Judge, type Moment } from './verdict.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const BEGIN = Date.parse('2026-01-01');
/** A check counts for 31 days. */
const VALID_MS = 31 * DAY_MS;

/** What may happen to a number, `after` so many ms. */
const anyEvent = fc.record({
  after: fc.integer({ min: 0, max: 20 * DAY_MS }),
  what: fc.oneof(
    fc.record({
      kind: fc.constant('checked' as const),
      status: fc.constantFrom('safe' as const, 'safe' as const, 'safe' as const, 'dnc' as const, 'litigator' as const),
      sandbox: fc.boolean(),
      line: fc.constantFrom('mobile' as const, 'landline' as const, 'unknown' as const),
    }),
    fc.record({ kind: fc.constantFrom('suppressed' as const, 'released' as const, 'called' as const) }),
    fc.record({
      kind: fc.constant('moved' as const),
      to: fc.constantFrom(
        ...[
          [undefined, undefined],
          ['IL', '62701'],
          ['FL', '33101'],
          ['FL', '32501'],
          ['MD', '21201'],
          ['OK', '73102'],
          ['AZ', '85003'],
          ['NJ', '07102'],
          ['TX', undefined],
          ['TX', '62701'],
          ['PA', '17101'],
          ['IA', '50309'],
          ['NY', '10200'],
          ['ZZ', '00000'],
        ].map(([state, postalCode]) => ({ state, postalCode })),
      ),
    }),
  ),
});
const anyHistory = fc.record({
  phone: fc.constantFrom(undefined, '+12175550100', '+13055550100', '+16025550100', '+442079460000', '+14165550100'),
  events: fc.array(anyEvent, { maxLength: 8 }),
});
type History = typeof anyHistory extends fc.Arbitrary<infer H> ? H : never;

/** What is known at the end, kept without a line of the code that is judged. */
function play({ phone, events }: History) {
  let time = BEGIN;
  let place: { state: string | undefined; postalCode: string | undefined } = {
    state: undefined,
    postalCode: undefined,
  };
  let check: { at: number; status: 'safe' | 'dnc' | 'litigator'; sandbox: boolean } | undefined;
  let line: CallQuestion['line'] = 'unknown';
  let suppressed: Date | undefined;
  const calls: number[] = [];
  for (const { after, what } of events) {
    time += after;
    if (what.kind === 'moved') place = what.to;
    else if (what.kind === 'called') calls.push(time);
    else if (what.kind === 'suppressed') suppressed = new Date(time);
    else if (what.kind === 'released') suppressed = undefined;
    else if (what.kind === 'checked') {
      check = { at: time, status: what.status, sandbox: what.sandbox };
      line = what.line;
    }
  }
  const scrub: CallQuestion['scrub'] = {
    status: check?.status ?? 'not_checked',
    expired: false,
    sandbox: check?.sandbox ?? false,
    checkedAt: check?.at,
    ...(check && check.status !== 'litigator' ? { expiresAt: check.at + VALID_MS } : {}),
  };
  const question: CallQuestion = { phone, ...place, line, scrub, suppressedSince: suppressed, calls };
  return { question, time, check, suppressed, calls, place };
}

/** Moments at which histories are judged: every hour of some weeks, so that hours are worked out once for each. */
const moments: Moment[] = [3 * 7, 6 * 7, 9 * 7, 41 * 7].flatMap((day) =>
  Array.from({ length: 168 }, (_, hour) => ({ at: BEGIN + day * DAY_MS + hour * HOUR_MS })),
);
const judges = new Map<number, Judge>();
const judgeAt = ({ at }: Moment): Judge => {
  const judge = judges.get(at) ?? createJudge({ at });
  judges.set(at, judge);
  return judge;
};

const CAPS: Record<string, number | undefined> = { FL: 3, MD: 3, OK: 3, OR: 3 };
const UNVERIFIED = ['IA', 'NE', 'VT', 'ZZ', undefined];

/** @throws where something is called callable that must not be. */
function expectMayBeCalled({ question, check, suppressed, calls, place }: ReturnType<typeof play>, at: number) {
  const problems = [
    ...(suppressed ? ['suppressed'] : []),
    ...(check?.status === 'safe' ? [] : ['not clean']),
    ...(check?.sandbox ? ['invented'] : []),
    ...(check && at - check.at > VALID_MS ? ['expired'] : []),
    ...(check && check.at - at > 5 * 60_000 ? ['checked only later'] : []),
    ...(question.phone?.startsWith('+1') && !question.phone.startsWith('+1416') ? [] : ['not American']),
    ...(UNVERIFIED.includes(place.state) ? ['law unknown'] : []),
    ...(place.state === 'TX' && place.postalCode === '62701' ? ['two states'] : []),
    ...(['AZ', 'NJ'].includes(place.state ?? '') && question.line !== 'landline' ? ['perhaps a mobile'] : []),
    ...(calls.filter((call) => call <= at && at - call < DAY_MS).length >= (CAPS[place.state ?? ''] ?? 99)
      ? ['called too often']
      : []),
  ];
  if (problems.length > 0) throw new Error(`Callable, and yet ${problems.join(', ')}.`);
}

test('in 100,000 histories nothing unknown, expired, suppressed or unchecked is callable', () => {
  let callable = 0;
  fc.assert(
    fc.property(anyHistory, fc.nat(moments.length - 1), (history, which) => {
      const played = play(history);
      const moment = moments[which] ?? { at: BEGIN };
      const { verdict, window } = judgeAt(moment)(played.question);
      if (!VERDICTS.includes(verdict)) throw new Error(`${verdict} is no verdict.`);
      if (verdict !== 'callable') return;
      callable += 1;
      if (window.state !== 'open') throw new Error(`Callable while the window is ${window.state}.`);
      expectMayBeCalled(played, moment.at);
    }),
    { numRuns: 100_000 },
  );
  // Otherwise this would show nothing.
  expect(callable).toBeGreaterThan(150);
}, 120_000);

test('a time to call is one at which the number is callable, and nothing else has any', () => {
  const nextAt = new Map<number, ReturnType<typeof createNextCall>>();
  let found = 0;
  fc.assert(
    fc.property(anyHistory, fc.nat(moments.length - 1), fc.integer({ min: 1, max: 24 }), (history, which, hours) => {
      const played = play(history);
      const { at } = moments[which] ?? { at: BEGIN };
      const next = nextAt.get(at) ?? createNextCall({ at });
      nextAt.set(at, next);
      const time = next(played.question, at + hours * HOUR_MS);
      const { verdict: now, window } = judgeAt({ at })(played.question);
      if (['unknown', 'blocked'].includes(now) && time) throw new Error(`${now}, and yet it has a time.`);
      // Only sources that read the hours in two ways agree again by themselves.
      if (now === 'review' && time && window.state !== 'review')
        throw new Error('In review for good, and yet it has a time.');
      if (time && time.isInReview !== (now === 'review')) throw new Error('It is not said whether it is in review.');
      if (now === 'callable' && time?.from !== at) throw new Error('Callable now, and it has no time now.');
      if (!time) return;
      found += 1;
      if (time.from < at || time.from > at + hours * HOUR_MS) throw new Error('The time lies outside.');
      for (const moment of [time.from, Math.max(time.from, time.to - 1)]) {
        const { verdict } = judgeAt({ at: moment })(played.question);
        if (verdict !== 'callable' && moment <= time.to)
          throw new Error(`${verdict} at ${new Date(moment).toISOString()}`);
        expectMayBeCalled(played, moment);
      }
    }),
    { numRuns: 20_000 },
  );
  expect(found).toBeGreaterThan(50);
}, 120_000);

const anyOwnRule = fc.record({
  state: fc.constantFrom('US', 'IL', 'FL', 'PA', 'TX'),
  days: fc.subarray([0, 1, 2, 3, 4, 5, 6]),
  from: fc.constantFrom('00:00', '08:00', '10:30', '23:00'),
  to: fc.constantFrom('07:00', '12:00', '21:00', '23:59'),
  cap: fc.constantFrom(undefined, { calls: 1, hours: 24 }, { calls: 9, hours: 1 }),
  effectiveFrom: fc.constantFrom(undefined, '2026-02-15'),
  effectiveTo: fc.constantFrom(undefined, '2026-02-15', '2026-03-08'),
});

test('no rule of the workspace, however it came in, ever opens what the law closes', () => {
  fc.assert(
    fc.property(
      anyHistory,
      fc.array(anyOwnRule, { maxLength: 3 }),
      fc.nat(moments.length - 1),
      (history, own, which) => {
        const { question } = play(history);
        const { at } = moments[which] ?? { at: BEGIN };
        const rules = own.map((rule, number) =>
          asRule({ ...rule, id: String(number), reason: 'same words', addedOn: '2026-01-01' }),
        );
        const with_ = createJudge({ at, rules: [...RULES, ...rules] })(question).verdict;
        if (with_ === 'callable' && judgeAt({ at })(question).verdict !== 'callable') throw new Error('It is looser.');
      },
    ),
    { numRuns: 5_000 },
  );
}, 120_000);
