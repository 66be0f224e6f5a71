import type { Shown } from '#contract/money/budgets.ts';
import {
  COMPLIANCE_PER_LEAD_MICROS,
  ENRICHMENT_PER_LEAD_MICROS,
  VERIFICATION_PER_EMAIL_MICROS,
} from '#contract/money/costs.ts';
import type { EnrichmentStep } from '#contract/work/enrichment-steps.ts';
import type { LeadList } from '#contract/work/lists.ts';

type TierFlags = Pick<LeadList, 'tier2Complete' | 'tier4Complete'>;

/** What each piece of work may cost, as it was shown. Emails are verified by the same work that finds them. */
export type ShownBounds = { emails: Shown; compliance: Shown };

/** What the dialog preselects, by the rules of spec section 4: tier 2 first, then tier 4, then nothing. */
export function preselectedTier(list: TierFlags): 2 | 4 | undefined {
  if (!list.tier2Complete) return 2;
  return list.tier4Complete ? undefined : 4;
}

/** The tiers on offer. The catalogue knows tier 2 only, and it goes once it is complete. */
export const offeredTiers = (list: TierFlags): 2[] => (list.tier2Complete ? [] : [2]);

/** `verify`: whether emails are verified, those included that are found. */
export type EnrichmentChoice = { emails: boolean; verify: boolean; compliance: boolean };

/** What an enrichment asks of each lead at list price, in micro-dollars: nothing where all of its steps are free. */
export function emailsPerLeadMicros(steps: readonly EnrichmentStep[] = ['hunter']): number {
  const search = steps.includes('hunter') ? ENRICHMENT_PER_LEAD_MICROS : 0;
  return search + (steps.includes('verifier') ? VERIFICATION_PER_EMAIL_MICROS : 0);
}

/** The dialog's first state: the preselected tier as far as it is on offer; verification and compliance are add-ons, never preselected. */
export function initialChoice(list: TierFlags): EnrichmentChoice {
  const preselected = preselectedTier(list);
  return { emails: offeredTiers(list).some((tier) => tier === preselected), verify: false, compliance: false };
}

type CostLine = { label: string; perLeadMicros: number; totalMicros: number };
export type CostBreakdown = { lines: CostLine[]; totalMicros: number };

/** What the chosen options cost for `leads` leads, in micro-dollars. */
export function costBreakdown(
  leads: number,
  choice: EnrichmentChoice,
  steps: readonly EnrichmentStep[],
): CostBreakdown {
  const lines: CostLine[] = [];
  const add = (label: string, perLeadMicros: number) =>
    lines.push({ label, perLeadMicros, totalMicros: leads * perLeadMicros });
  if (choice.emails) add('Emails & contacts', emailsPerLeadMicros(steps.filter((step) => step !== 'verifier')));
  if (choice.verify) add('Email verification', VERIFICATION_PER_EMAIL_MICROS);
  if (choice.compliance) add('DNC/TCPA compliance', COMPLIANCE_PER_LEAD_MICROS);
  return { lines, totalMicros: lines.reduce((sum, line) => sum + line.totalMicros, 0) };
}

export const NOTHING_CHOSEN = 'Select at least one enrichment option';
