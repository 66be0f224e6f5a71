import { z } from 'zod/mini';

/**
 * Where an enrichment looks, in this order, until one of them has a good answer: data that is open to all, the business's own website,
 * and Hunter, which is paid.
 */
export const ENRICHMENT_STEPS = ['open', 'website', 'hunter'] as const;
export const EnrichmentStep = z.enum(ENRICHMENT_STEPS);
export type EnrichmentStep = z.infer<typeof EnrichmentStep>;
