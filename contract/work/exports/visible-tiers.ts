import type { LeadList } from '#contract/work/lists.ts';

export type TierFlags = Pick<LeadList, 'tier2Complete' | 'tier3Complete' | 'tier4Complete' | 'complianceChecked'>;
export type VisibleTiers = { emails: boolean; contacts: boolean; verification: boolean; compliance: boolean };

/** How many leads of the whole list have what belongs to a tier. */
export type TierCounts = { emails: number; contacts: number; verifications: number; safe: number; flagged: number };

/** Columns of a tier appear once it is complete or data for it exists. */
export const visibleTiers = (list: TierFlags, counts: TierCounts): VisibleTiers => ({
  emails: list.tier2Complete || counts.emails > 0,
  contacts: list.tier3Complete || counts.contacts > 0,
  verification: list.tier4Complete || counts.verifications > 0,
  compliance: list.complianceChecked || counts.safe + counts.flagged > 0,
});
