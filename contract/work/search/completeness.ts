/** Percent of completeness after each tier, from spec section 9. */
export const COMPLETENESS = { tier1: 45, tier2: 65, tier3: 85, tier4: 100 } as const;

/** Completeness after email enrichment: what the highest tier already reached allows. */
export function completenessAfterEmails(tiers: { tier3Complete: boolean; tier4Complete: boolean }): number {
  if (tiers.tier4Complete) return COMPLETENESS.tier4;
  return tiers.tier3Complete ? COMPLETENESS.tier3 : COMPLETENESS.tier2;
}
