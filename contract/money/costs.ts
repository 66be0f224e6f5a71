/**
 * Estimates for the dialogs, from spec section 9, in micro-dollars (1 USD = 1,000,000).
 * What a call really costs is booked in the ledger at the provider's own price.
 */
export const SEARCH_PER_LEAD_MICROS = 17_000;
export const ENRICHMENT_PER_LEAD_MICROS = 50_000;
/** Not of the spec: an email at Hunter's verifier. */
export const VERIFICATION_PER_EMAIL_MICROS = 25_000;
export const COMPLIANCE_PER_LEAD_MICROS = 20_000;

/** What bought leads cost elsewhere, per lead, as the comparison panel assumes. */
export const INDUSTRY_PER_LEAD_MICROS = { low: 350_000, high: 1_500_000 } as const;

export type Savings = { savedMicros: number; percent: number };

/** Estimated price of a search that asks for `maxResults` leads, in micro-dollars. */
export const searchEstimateMicros = (maxResults: number): number => maxResults * SEARCH_PER_LEAD_MICROS;

/** Estimated price of enriching and/or checking `leads` leads, in micro-dollars. */
export function enrichmentEstimateMicros(leads: number, options: { emails: boolean; compliance: boolean }): number {
  const perLead =
    (options.emails ? ENRICHMENT_PER_LEAD_MICROS : 0) + (options.compliance ? COMPLIANCE_PER_LEAD_MICROS : 0);
  return leads * perLead;
}

/** What is saved against both ends of the industry's range; percent is a whole number from 0 to 100. */
export function searchSavings(maxResults: number): { low: Savings; high: Savings } {
  const cost = searchEstimateMicros(maxResults);
  const against = (perLead: number): Savings => {
    const bought = maxResults * perLead;
    const savedMicros = Math.max(0, bought - cost);
    return { savedMicros, percent: bought === 0 ? 0 : Math.round((savedMicros / bought) * 100) };
  };
  return { low: against(INDUSTRY_PER_LEAD_MICROS.low), high: against(INDUSTRY_PER_LEAD_MICROS.high) };
}

export const dollarsToMicros = (dollars: number): number => Math.round(dollars * 1_000_000);
/** Micro-dollars to the last one, with two decimals at least: 137_000 → $0.137. */
export const exactDollars = (micros: number): string =>
  `$${microsToDollars(micros)
    .toFixed(6)
    .replace(/0{1,4}$/, '')}`;
export const microsToDollars = (micros: number): number => micros / 1_000_000;
