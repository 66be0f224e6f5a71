import { z } from 'zod/mini';
import { CALL_SCOPES } from '#contract/calling/call-scopes.ts';
import { isoDate } from '#contract/dates.ts';
import { endpoint } from '#contract/endpoint.ts';

/** The federal hours: no rule of a workspace reaches beyond them. */
const FEDERAL_FROM = '08:00';
const FEDERAL_TO = '21:00';
/** The most rules of its own that a workspace may have in force. */
export const MOST_OWN_RULES = 200;

/** The day that some place of the United States still has, as 2026-12-01: Samoa is the last. `now` in ms since 1970. */
export const dayAnywhere = (now: number): string => new Date(now - 11 * 3_600_000).toISOString().slice(0, 10);

const why = z
  .string()
  .check(z.trim(), z.minLength(3, 'Say why, in a few words.'), z.maxLength(500, 'Enter at most 500 characters.'));
const time = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time such as 09:00.'));
const day = z.optional(isoDate('Enter a day such as 2026-12-01.'));
const whole = (most: number, words: string) => z.int(words).check(z.minimum(1, words), z.maximum(most, words));

/** Who decided what, when and why. `by`: an administrator's address. Times are ISO. */
const Decision = z.object({ by: z.string(), at: z.string(), reason: z.string() });

/** The longest time over which an own rule counts calls, in hours. */
export const MOST_CAP_HOURS = 720;

const RULE_FIELDS = {
  /** Two letters, or US for everywhere. */
  state: z.string().check(z.regex(/^[A-Z]{2}$/, 'A state has two letters, such as IL. US means everywhere.')),
  /** Days on which calls may begin, from 0 (Sunday) to 6. None: never. */
  days: z.array(z.int().check(z.minimum(0), z.maximum(6))).check(z.maxLength(7, 'A week has seven days.')),
  from: time,
  to: time,
  cap: z.optional(
    z.object({
      calls: whole(100, 'Enter 1 to 100 calls.'),
      hours: whole(MOST_CAP_HOURS, `Enter 1 to ${MOST_CAP_HOURS} hours.`),
    }),
  ),
  effectiveFrom: day,
  effectiveTo: day,
};

/** A stricter rule of this workspace. `ended`: it holds no more. */
export const OwnRule = z.object({
  ...RULE_FIELDS,
  id: z.string(),
  added: Decision,
  ended: z.optional(Decision),
});
export type OwnRule = z.infer<typeof OwnRule>;

/** What someone types of a new rule. It may only take hours away: the server measures it against the law. */
export const NewOwnRule = z.object({ ...RULE_FIELDS, reason: why }).check(
  z.refine(({ from, to }) => from < to, { error: 'The end must be later than the beginning.', path: ['to'] }),
  z.refine(({ from }) => from >= FEDERAL_FROM, {
    error: `No call may begin before ${FEDERAL_FROM} (47 CFR 64.1200(c)(1)).`,
    path: ['from'],
  }),
  z.refine(({ to }) => to <= FEDERAL_TO, {
    error: `No call may begin after ${FEDERAL_TO} (47 CFR 64.1200(c)(1)).`,
    path: ['to'],
  }),
  z.refine(({ effectiveFrom, effectiveTo }) => !effectiveFrom || !effectiveTo || effectiveFrom <= effectiveTo, {
    error: 'The last day must not be before the first.',
    path: ['effectiveTo'],
  }),
);
export type NewOwnRule = z.infer<typeof NewOwnRule>;

/** A row of the reviewed table. `due`: no one has reviewed it for 180 days. */
const LawRule = z.object({
  state: z.string(),
  scope: z.enum(['any', 'residence', 'automated']),
  hours: z.string(),
  citation: z.string(),
  source: z.string(),
  confidence: z.enum(['read', 'reported', 'contested', 'unverified']),
  reviewedOn: z.string(),
  due: z.boolean(),
  effectiveFrom: z.optional(z.string()),
  effectiveTo: z.optional(z.string()),
});
export type LawRule = z.infer<typeof LawRule>;

/** All that decides about hours here. `scopes` and `rules`: the newest first, those that ended among them. */
export const CallingRules = z.object({
  scope: z.enum(CALL_SCOPES),
  scopes: z.array(z.extend(Decision, { scope: z.enum(CALL_SCOPES) })),
  rules: z.array(OwnRule),
  law: z.array(LawRule),
  rulesAsOf: z.string(),
});
export type CallingRules = z.infer<typeof CallingRules>;

export const readCallingRulesEndpoint = endpoint({
  method: 'GET',
  path: '/api/admin/calling-rules',
  access: 'admin',
  data: CallingRules,
});

/** Chooses whose protection counts, with the reason that is kept. */
export const setCallScopeEndpoint = endpoint({
  method: 'PUT',
  path: '/api/admin/calling-rules/scope',
  access: 'admin',
  freshProof: true,
  body: z.object({ scope: z.enum(CALL_SCOPES), reason: why }),
  data: CallingRules,
});

/** Adds a stricter rule. One that allows more than the law or older rules do anywhere is refused. */
export const addCallingRuleEndpoint = endpoint({
  method: 'POST',
  path: '/api/admin/calling-rules',
  access: 'admin',
  body: NewOwnRule,
  data: CallingRules,
});

/** Ends a rule of the workspace. It stays in the history with the reason. */
export const endCallingRuleEndpoint = endpoint({
  method: 'DELETE',
  path: '/api/admin/calling-rules/:id',
  access: 'admin',
  freshProof: true,
  query: z.object({ id: z.uuid('This is not the id of a rule.') }),
  body: z.object({ reason: why }),
  data: CallingRules,
});
