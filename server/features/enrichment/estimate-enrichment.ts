import type { z } from 'zod/mini';
import type { EnrichmentEstimate, estimateEnrichmentEndpoint } from '#contract/work/enrichment.ts';
import type { Ctx } from '#server/http/context.ts';
import { ownList } from '#server/runs/rows.ts';
import { memoryFor } from '#server/runs/start/memory-for.ts';
import { priceEnrichment } from './price-enrichment.ts';

/** What an enrichment of the caller's list would cost. Throws NOT_FOUND. */
export async function estimateEnrichment(
  { deps: { db }, user }: Ctx,
  body: z.output<typeof estimateEnrichmentEndpoint.body>,
): Promise<EnrichmentEstimate> {
  const list = await ownList(db, user.userId, body.list_id);
  return priceEnrichment(db, await memoryFor(db, list, 'hunter_io'), list.id);
}
