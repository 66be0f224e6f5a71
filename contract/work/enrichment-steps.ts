import { z } from 'zod/mini';

/**
 * Where an enrichment looks, in this order, until one of them has a good answer: data that is open to all, the business's own website,
 * and Hunter, which is paid.
 */
export const FINDING_STEPS = ['open', 'website', 'hunter'] as const;
/** The verifier, which is paid, checks the emails that leads have in the end. It is asked only on request. */
export const ENRICHMENT_STEPS = [...FINDING_STEPS, 'verifier'] as const;
export type FindingStep = (typeof FINDING_STEPS)[number];
export const EnrichmentStep = z.enum(ENRICHMENT_STEPS);
export type EnrichmentStep = z.infer<typeof EnrichmentStep>;

/** Whether work on these steps may ask Hunter, which is paid and needs a key. */
export const asksHunter = (steps: readonly EnrichmentStep[]): boolean =>
  steps.includes('hunter') || steps.includes('verifier');

/** Whether it looks for anything, or only verifies what is there. */
export const findsEmails = (steps: readonly EnrichmentStep[]): boolean => steps.some((step) => step !== 'verifier');
