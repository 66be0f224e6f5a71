import { z } from 'zod/mini';
import holidays from './holidays.json' with { type: 'json' };
import data from './rules.json' with { type: 'json' };

const Day = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/));
const Hour = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/));
/** Days of the week, Sunday first, from 0 to 6. */
const Weekdays = z.array(z.number().check(z.minimum(0), z.maximum(6)));
const Hours = { days: Weekdays, from: z.optional(Hour), to: z.optional(Hour) };

/**
 * Hours in which a law lets calls begin.
 * - A law may have several rows, such as one for Saturdays. A day that none of them names is closed. No day at all: never.
 * - `scope`: whom it protects. `residence` also reaches businesses whose number may be someone's own.
 * - `lines`: only mobiles, or all.
 */
export const Rule = z.object({
  /** Two letters, or US for the federal rules. */
  state: z.string().check(z.regex(/^[A-Z]{2}$/)),
  scope: z.enum(['any', 'residence', 'automated']),
  lines: z._default(z.enum(['all', 'mobile']), 'all'),
  ...Hours,
  /** The time zone of the hours, where it is not that of the person who is called. */
  zone: z.optional(z.string()),
  /** Closed on the legal holidays of the state. */
  holidays: z._default(z.boolean(), false),
  /** The most calls to one person in so many hours. */
  cap: z.optional(z.object({ calls: z.number(), hours: z.number() })),
  /** Unsolicited sales calls to mobiles are not allowed at any hour. */
  bansMobiles: z._default(z.boolean(), false),
  /** The first and the last day on which it holds. */
  effectiveFrom: z.optional(Day),
  effectiveTo: z.optional(Day),
  /** The id of a rule that administrators of this workspace added; unset for the law. */
  own: z.optional(z.string()),
  citation: z.string(),
  source: z.string(),
  reviewedOn: Day,
  confidence: z.enum(['read', 'reported', 'contested', 'unverified']),
  /** What another source reads in the same law. The stricter reading applies; between the two someone must decide. */
  differs: z.optional(z.array(z.object({ ...Hours, holidays: z._default(z.boolean(), false) }))),
});
export type Rule = z.infer<typeof Rule>;

/** Whether a rule lets no call begin on any day. One with a last day shuts until then. */
export const isShut = ({ days }: Pick<Rule, 'days'>): boolean => days.length === 0;

const Data = z.object({ rules: z.array(Rule), notes: z.record(z.string(), z.string()) });
const Holidays = z.record(z.string(), z.record(Day, z.string()));

const read = Data.parse(data);

/** The reviewed rules. */
export const RULES: readonly Rule[] = read.rules;
/** Duties of a state that are no hours, such as registration, by its two letters. */
export const STATE_NOTES: Readonly<Record<string, string | undefined>> = read.notes;

/** The reviewed rules, notes and holidays to the letter: their version is the hash of it. */
export const REVIEWED_TEXT: string = JSON.stringify([data, holidays]);

/** How long after its beginning a call may still be dialed, in ms: a cap counts from then on. */
export const LATE_DIAL_MS = 300_000;
/** How long a call counts under a cap, in ms. */
export const capMs = ({ hours }: { hours: number }): number => hours * 3_600_000 + LATE_DIAL_MS;
/** How far back calls count under the longest cap of any rule, in ms; 0 without one. */
export const longestCapMs = (rules: readonly Rule[]): number =>
  Math.max(0, ...rules.map(({ cap }) => (cap ? capMs(cap) : 0)));

const DAY_MS = 86_400_000;
const HOLIDAYS = Holidays.parse(holidays);
/** The years that the table of holidays knows. */
export const FIRST_HOLIDAY_YEAR = 2025;
export const LAST_HOLIDAY_YEAR = 2030;

/** What a legal holiday of a state is called; undefined for other days. `day` as 2026-12-25. */
export const holidayOf = (state: string, day: string): string | undefined => HOLIDAYS[state]?.[day];

/** A rule that was last reviewed longer ago than this should be read again, in days. */
const REVIEW_DAYS = 180;

/** The day of the oldest review: what is said of the rules is as of then. */
export const RULES_AS_OF = RULES.map(({ reviewedOn }) => reviewedOn).toSorted()[0] ?? '';

/** Whether no one has reviewed a rule for too long. */
export const isDue = ({ reviewedOn, own }: Rule, at: number): boolean =>
  own === undefined && at - Date.parse(reviewedOn) > REVIEW_DAYS * DAY_MS;
