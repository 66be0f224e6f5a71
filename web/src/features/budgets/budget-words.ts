import type { BudgetId } from '#contract/money/budgets.ts';
import { PROVIDER_CATALOGUE } from '#contract/providers.ts';
import { onDemand } from '#web/lib/format/on-demand.ts';

export const BUDGET_LABEL: Record<BudgetId, string> = {
  run: 'Each run',
  month: 'Each month',
  google_places: `${PROVIDER_CATALOGUE.google_places.name}, each month`,
  hunter_io: `${PROVIDER_CATALOGUE.hunter_io.name}, each month`,
  searchbug: `${PROVIDER_CATALOGUE.searchbug.name}, each month`,
};

const months = onDemand(() => new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' }));

/** A month such as 2026-11 by its name: November. */
export const monthName = (month: string): string => months().format(new Date(`${month}-01T00:00:00Z`));
