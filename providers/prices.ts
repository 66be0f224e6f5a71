/**
 * What one unit of a paid call costs, in micro-dollars, as of 2026-11-21.
 * - Google: list price of Text Search Enterprise ($35 per 1,000), Pro ($32) and IDs Only ($0), before the free monthly calls.
 * - Hunter: the product's estimate for a domain with at least one address; a domain without any is not charged.
 * - SearchBug: the default until an answer states the account's own rate.
 */
export const prices = {
  /** One page of businesses with phone and website. */
  googleSearchPageMicros: 35_000,
  /** Finding out where a location is. */
  googleLocateMicros: 32_000,
  /** Google's own count of an area (Places Aggregate, $10 per 1,000). */
  googleAreaCountMicros: 10_000,
  /** One page of ids only. */
  googleCountPageMicros: 0,
  /** One domain for which at least one address was found. */
  hunterDomainMicros: 50_000,
  /** One domain for which nothing was found. */
  hunterMissMicros: 0,
  /** One email that the verifier was asked about: half a credit, also while Hunter has no result yet. */
  hunterVerificationMicros: 25_000,
  /** One phone number. */
  searchbugNumberMicros: 20_000,
} as const;
