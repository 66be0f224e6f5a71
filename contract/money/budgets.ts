import { z } from 'zod/mini';
import { endpoint, looseId, looseNumber } from '#contract/endpoint.ts';
import { PROVIDER_IDS } from '#contract/providers.ts';
import { microsToDollars } from './costs.ts';

/** What can be limited: one run, a calendar month (UTC), and a month at one provider. */
export const BUDGET_IDS = ['run', 'month', ...PROVIDER_IDS] as const;
export type BudgetId = (typeof BUDGET_IDS)[number];
export const MONTHLY_BUDGET_IDS = ['month', ...PROVIDER_IDS] as const;

/** The largest limit, in micro-dollars: $1,000,000. */
const BUDGET_MAX_MICROS = 1_000_000_000_000;
/** Shares of a month's budget that are told of, in percent; the last two by mail as well. */
export const NOTICE_PERCENTS = [50, 80, 100] as const;
export const MAILED_PERCENTS = [80, 100] as const;

const TOO_MUCH = 'A limit must be at most $1,000,000.';

/**
 * An amount as it is typed, in dollars: $1,200.50. Empty is null, which is no limit; else micro-dollars.
 * Commas part thousands and nothing else. In much of the world “1,50” is one and a half, and must not be read as 150.
 */
export const TypedDollars = z.pipe(
  z.string().check(
    z.trim(),
    z.regex(
      /^(\$?\s*((\d+|\d{1,3}(,\d{3})+)(\.\d{1,2})?|\.\d{1,2}))?$/,
      'Enter an amount in dollars, such as 25 or 12.50.',
    ),
    z.refine((text) => readMicros(text) <= BUDGET_MAX_MICROS, TOO_MUCH),
  ),
  z.transform((text) => (text === '' ? null : readMicros(text))),
);

const readMicros = (text: string): number => Math.round(Number(text.replaceAll(/[$,\s]/g, '')) * 1_000_000);

/** What the caller of a paid call lets it cost at most, in US dollars. The run stops before it would cost more. */
export const maxCost = z.optional(
  looseNumber.check(
    z.refine(
      (dollars) => dollars === 0 || (dollars >= 0.01 && dollars <= 1_000_000),
      'max_cost must be 0.01 to 1000000 US dollars, or 0 to pay nothing.',
    ),
  ),
);

/** Whether the caller was shown a price in sandbox money, as its count or estimate says. The work then spends no other kind. */
export const quotedSandbox = z.optional(z.boolean());

/** A price that was shown: the most that it may cost, in micro-dollars, and in which money, as far as they were known. */
export type Shown = { boundMicros?: number | undefined; sandbox?: boolean | undefined };

/** The same as fields of the request that begins the work. */
export const quoteOf = ({ boundMicros, sandbox }: Shown): { max_cost?: number; sandbox?: boolean } => ({
  ...maxCostOf(boundMicros),
  ...(sandbox === undefined ? {} : { sandbox }),
});

/** A bound that was shown, as `max_cost`: to the last micro-dollar. */
export const maxCostOf = (boundMicros: number | undefined): { max_cost?: number } =>
  boundMicros === undefined ? {} : { max_cost: microsToDollars(boundMicros) };

/** Micro-dollars. `reserved`: what open runs may still book. */
const Money = z.object({ spentMicros: z.number(), reservedMicros: z.number() });
export type Money = z.infer<typeof Money>;

/**
 * One budget of a person, with this month's money; of `run` that is always 0. Sandbox money is held against the same limits as real
 * money, but the two are never added up. Null: no limit.
 */
export const Budget = z.object({
  id: z.enum(BUDGET_IDS),
  /** Set by the person. */
  limitMicros: z.nullable(z.number()),
  /** Set by an administrator. */
  adminLimitMicros: z.nullable(z.number()),
  real: Money,
  sandbox: Money,
});
export type Budget = z.infer<typeof Budget>;

/** The limit that counts, in micro-dollars: the smaller of two. Null: none. */
export function limitOf({ limitMicros, adminLimitMicros }: Pick<Budget, 'limitMicros' | 'adminLimitMicros'>) {
  if (limitMicros === null || adminLimitMicros === null) return limitMicros ?? adminLimitMicros;
  return Math.min(limitMicros, adminLimitMicros);
}

/** What a run may still book under a budget, in micro-dollars; null without a limit. */
export function leftOf(budget: Budget, sandbox: boolean): number | null {
  const limit = limitOf(budget);
  const { spentMicros, reservedMicros } = sandbox ? budget.sandbox : budget.real;
  return limit === null ? null : Math.max(0, limit - spentMicros - reservedMicros);
}

/** That so much of a month's budget is spent. */
export const BudgetNotice = z.object({
  budget: z.enum(MONTHLY_BUDGET_IDS),
  percent: z.union([z.literal(50), z.literal(80), z.literal(100)]),
  sandbox: z.boolean(),
});
export type BudgetNotice = z.infer<typeof BudgetNotice>;

/** `month`: as 2026-11. `items` in the order of BUDGET_IDS. `notices`: what the person has not dismissed, the highest of each budget. */
export const Budgets = z.object({ month: z.string(), items: z.array(Budget), notices: z.array(BudgetNotice) });
export type Budgets = z.infer<typeof Budgets>;

const limit = z.nullable(
  z.int('A limit must be whole micro-dollars, or null.').check(z.gte(0), z.lte(BUDGET_MAX_MICROS, TOO_MUCH)),
);

/** All limits of one person by one hand; null is no limit. Micro-dollars. */
export const BudgetLimits = z.object({
  run: limit,
  month: limit,
  google_places: limit,
  hunter_io: limit,
  searchbug: limit,
});
export type BudgetLimits = z.infer<typeof BudgetLimits>;

/** The caller's budgets. */
export const readBudgetsEndpoint = endpoint({ method: 'GET', path: '/api/budgets', reads: true, data: Budgets });

/** Sets the caller's own limits, all of them; those of an administrator stay. */
export const setBudgetsEndpoint = endpoint({
  method: 'PUT',
  path: '/api/budgets',
  body: z.object({ limits: BudgetLimits }),
  data: Budgets,
});

/** Takes a notice off the caller's dashboard for the rest of the month. */
export const dismissNoticeEndpoint = endpoint({
  method: 'POST',
  path: '/api/budgets/dismiss',
  body: BudgetNotice,
  data: Budgets,
});

export const readUserBudgetsEndpoint = endpoint({
  method: 'GET',
  path: '/api/admin/budgets',
  reads: true,
  access: 'admin',
  query: z.object({ user_id: looseId }),
  data: Budgets,
});

/** Sets an administrator's limits for someone; that person's own stay. */
export const setUserBudgetsEndpoint = endpoint({
  method: 'PUT',
  path: '/api/admin/budgets',
  access: 'admin',
  query: z.object({ user_id: looseId }),
  body: z.object({ limits: BudgetLimits }),
  data: Budgets,
});
