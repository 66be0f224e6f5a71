import fc from 'fast-check';
import { expect, test } from 'vitest';
import { VERDICTS } from './findings.ts';
import { createNextCall } from './next-call.ts';
import { type CallQuestion, createJudge } from './verdict.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const VALID_MS = 31 * DAY_MS;
/** A Tuesday at noon in Chicago, its night, and an hour that sources read in two ways for some. */
const MOMENTS = ['2026-12-08T18:00:00Z', '2026-12-09T06:00:00Z', '2026-10-18T01:30:00Z'].map((time) =>
  Date.parse(time),
);

/** What may be known of a lead. What lets it be called comes first, and most often. */
const FACTS = {
  phone: ['+12175550100', '+13055550100', '+16025550100', '+18005550100', '+14165550100', undefined],
  address: [
    '12345 Main Street, Springfield, IL 62701, USA',
    '1 Main Street, Miami, FL 33101',
    '1 Main Street, Phoenix, AZ 85003',
    '1 Main Street, Austin, TX',
    '1 Main Street, El Paso, TX 79901, and 2 Main Street, Austin, TX 78701',
    '1 Main Street',
    '',
    undefined,
  ],
  coordinates: [undefined, { latitude: 39.8, longitude: -89.6 }, { latitude: 31.8, longitude: -106.4 }],
  line: ['landline', 'mobile', 'unknown'],
  status: ['safe', 'not_checked', 'dnc', 'litigator'],
  expired: [false, true],
  sandbox: [false, undefined, true],
  // About the moment and about those at which a check runs out, to the millisecond.
  age: [
    ...[HOUR_MS, VALID_MS - HOUR_MS, VALID_MS - 7 * HOUR_MS, VALID_MS - 20 * HOUR_MS],
    ...[VALID_MS, VALID_MS + 1, 0, -300_000, -300_001, -DAY_MS, undefined],
  ],
  suppressedSince: [undefined, new Date('2026-10-01'), new Date('2026-10-02'), new Date('1969-12-31')],
  mustNotBeCalled: [false, true],
  called: [[], [HOUR_MS], [HOUR_MS, 2 * HOUR_MS, 23 * HOUR_MS]],
} as const;
type Fact = keyof typeof FACTS;
type Lead = { [F in Fact]: (typeof FACTS)[F][number] };

const anyFact = fc
  .constantFrom(...(Object.keys(FACTS) as Fact[]))
  .chain((fact) => fc.nat(FACTS[fact].length - 1).map((which) => ({ [fact]: FACTS[fact][which] })));
const CLEAN = Object.fromEntries(Object.entries(FACTS).map(([fact, [first]]) => [fact, first])) as Lead;
/** Leads that differ in few things, so that most are alike but for one. */
const anyLeads = fc
  .tuple(fc.array(anyFact, { maxLength: 3 }), fc.array(anyFact, { minLength: 5, maxLength: 40 }))
  .map(([common, own]): Lead[] => own.map((fact) => Object.assign({ ...CLEAN }, ...common, fact)));

function questionOf({ status, expired, sandbox, age, called, ...lead }: Lead, at: number): CallQuestion {
  const checkedAt = age === undefined ? undefined : at - age;
  const expiresAt = checkedAt !== undefined && ['safe', 'dnc'].includes(status) ? checkedAt + VALID_MS : undefined;
  const scrub = { status, expired, checkedAt, expiresAt, ...(sandbox === undefined ? {} : { sandbox }) };
  return { ...lead, scrub, calls: called.map((ago) => at - ago) };
}

test('leads that are judged together get what each would get alone', () => {
  const verdicts = new Set<string>();
  const times = new Set<number | undefined>();
  const anyHours = fc.constantFrom(8, 24, 336);
  fc.assert(
    fc.property(anyLeads, fc.constantFrom(...MOMENTS), anyHours, (leads, at, hours) => {
      const together = createJudge({ at });
      const next = createNextCall({ at });
      const until = at + hours * HOUR_MS;
      for (const lead of leads) {
        const question = questionOf(lead, at);
        const answer = createJudge({ at })(question);
        expect(together(question)).toEqual(answer);
        const alone = () => createNextCall({ at });
        const time = alone()(question, until);
        expect(next(question, until)).toEqual(time);
        expect(next(question, until, { answer: together(question) })).toEqual(time);
        // Another end, or a later beginning, is a question of its own.
        expect(next(question, at + HOUR_MS)).toEqual(alone()(question, at + HOUR_MS));
        const from = at + 3 * HOUR_MS;
        expect(next(question, until, { from })).toEqual(alone()(question, until, { from }));
        verdicts.add(answer.verdict);
        times.add(time?.from);
      }
    }),
    { numRuns: 200 },
  );
  // Otherwise this would show nothing.
  expect([...verdicts].toSorted()).toEqual(VERDICTS.toSorted());
  expect(times.size).toBeGreaterThan(3);
}, 120_000);
