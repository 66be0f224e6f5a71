import { z } from 'zod/mini';
import { isoDate } from '#contract/dates.ts';
import { endpoint, looseId } from '#contract/endpoint.ts';
import { PROVIDER_IDS } from '#contract/providers.ts';
import { EnrichmentStep } from '#contract/work/enrichment-steps.ts';
import { RUN_KINDS, RUN_STATES } from '#contract/work/runs.ts';

/** Money that a provider charges, and what the sandbox pretends to: never added to each other. */
export const MONEY = ['real', 'sandbox'] as const;
export type Money = (typeof MONEY)[number];

/** Longest period that is added up, in days. */
export const USAGE_MOST_DAYS = 366;
const DAY_MS = 86_400_000;

const day = (name: string) => isoDate(`${name} must be a day such as 2026-11-21.`);
const daysBetween = ({ from, to }: { from: string; to: string }) => (Date.parse(to) - Date.parse(from)) / DAY_MS;

/** Days in UTC, both included. Without `money`: real money where any was ever spent, else the sandbox's. */
const PERIOD = { from: day('from'), to: day('to'), money: z.optional(z.enum(MONEY)) };
const inOrder = z.refine<{ from: string; to: string }>((period) => daysBetween(period) >= 0, {
  error: 'The first day must not be after the last day.',
});
const notTooLong = z.refine<{ from: string; to: string }>((period) => daysBetween(period) < USAGE_MOST_DAYS, {
  error: `A period must be at most ${USAGE_MOST_DAYS} days long.`,
});

export const UsagePeriod = z.object(PERIOD).check(inOrder, notTooLong);
export type UsagePeriod = z.infer<typeof UsagePeriod>;

/** What the ledger says of some of its calls. Money in micro-dollars. */
const SUMS = {
  /** Calls that were sent, whatever came of them. */
  calls: z.number(),
  failed: z.number(),
  uncertain: z.number(),
  /** Booked; calls that are under way or uncertain count at their estimate. */
  costMicros: z.number(),
  uncertainMicros: z.number(),
  /** Results that were remembered, and what they had cost when they were bought. */
  recalled: z.number(),
  savedMicros: z.number(),
};
export const UsageSums = z.object(SUMS);
export type UsageSums = z.infer<typeof UsageSums>;

const provider = z.enum(PROVIDER_IDS);

export const UsageDay = z.object({ day: z.string(), provider, costMicros: z.number() });
export type UsageDay = z.infer<typeof UsageDay>;
export const UsageProvider = z.extend(UsageSums, { provider });
export type UsageProvider = z.infer<typeof UsageProvider>;
/** `listId` is null for a list that is gone; its name is kept with its runs. `name` is null for all look-ups of places, which are for no list. */
const UsageList = z.extend(UsageSums, { listId: z.nullable(z.string()), name: z.nullable(z.string()) });

/** What the runs that began in the period have brought, over their whole length: `found` of `asked`, for `costMicros`. */
export const UsageYield = z.object({ runs: z.number(), asked: z.number(), found: z.number(), costMicros: z.number() });
export type UsageYield = z.infer<typeof UsageYield>;

export const Usage = z.object({
  /** Which money the figures are about. */
  money: z.enum(MONEY),
  /** The kinds of money that the ledger holds, in any period. */
  known: z.array(z.enum(MONEY)),
  totals: UsageSums,
  /** Days and providers of which the ledger holds something, in order. */
  days: z.array(UsageDay),
  providers: z.array(UsageProvider),
  /** The dearest first. */
  lists: z.array(UsageList),
  /** All other lists together; null where there are no others. */
  otherLists: z.nullable(z.extend(UsageSums, { count: z.number() })),
  /** Businesses kept of places found, emails added of leads with a website, and safe numbers of those checked. */
  businesses: UsageYield,
  emails: UsageYield,
  /** Emails that have a result, of those to verify. What this costs is no part of what finding them costs. */
  verifications: z._default(UsageYield, { runs: 0, asked: 0, found: 0, costMicros: 0 }),
  phones: UsageYield,
});
export type Usage = z.infer<typeof Usage>;

/** What the caller's paid calls of some days add up to. */
export const getUsageEndpoint = endpoint({
  method: 'GET',
  path: '/api/usage',
  reads: true,
  query: UsagePeriod,
  data: Usage,
});

export const UsageRun = z.object({
  id: z.string(),
  listId: z.nullable(z.string()),
  /** For a look-up: the place, as it was typed. */
  listName: z.string(),
  kind: z.enum(RUN_KINDS),
  /** Where an enrichment looks. */
  steps: z.optional(z.array(EnrichmentStep)),
  state: z.enum(RUN_STATES),
  createdAt: z.string(),
  ...SUMS,
});
export type UsageRun = z.infer<typeof UsageRun>;

/** A page of the runs that the sums are made of, newest first, with their part of them. `next` begins the following page. */
export const listUsageRunsEndpoint = endpoint({
  method: 'GET',
  path: '/api/usage/runs',
  reads: true,
  query: z.object({ ...PERIOD, after: z.optional(looseId) }).check(inOrder, notTooLong),
  data: z.object({ runs: z.array(UsageRun), next: z.nullable(z.string()) }),
});

/** Returns the period's rows of the ledger as a CSV file and not in the envelope of other calls. */
export const exportUsageEndpoint = endpoint({
  method: 'GET',
  path: '/api/usage/export',
  growsWith: 'account',
  query: UsagePeriod,
  data: z.string(),
});

export const usageFileName = ({ from, to }: { from: string; to: string }): string =>
  `fairlead-ledger-${from}-to-${to}.csv`;
