import type { z } from 'zod/mini';
import type { EnrichmentEstimate, estimateEnrichmentEndpoint } from '#contract/work/enrichment.ts';
import type { Ctx } from '#server/http/context.ts';
import { readSelection } from '#server/leads/read-selection.ts';
import { memoryFor } from '#server/runs/start/memory-for.ts';
import { stepsOf } from './enrich-emails.ts';
import { priceEnrichment } from './price-enrichment.ts';

/** What an enrichment of the caller's list, or of some of its leads, would cost. Throws NOT_FOUND. */
export async function estimateEnrichment(
  { deps: { db }, user }: Ctx,
  body: z.output<typeof estimateEnrichmentEndpoint.body>,
): Promise<EnrichmentEstimate> {
  const { leadIds, ...list } = await readSelection(db, user.userId, body);
  const steps = stepsOf(body.steps);
  return priceEnrichment(db, await memoryFor(db, list, 'hunter_io'), list.id, { leadIds, steps });
}
