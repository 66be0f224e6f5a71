import type { z } from 'zod/mini';
import type { EnrichmentEstimate, estimateEnrichmentEndpoint } from '#contract/work/enrichment.ts';
import { findsEmails } from '#contract/work/enrichment-steps.ts';
import type { Ctx } from '#server/http/context.ts';
import { countElsewhere } from '#server/leads/count-elsewhere.ts';
import { readSelection } from '#server/leads/read-selection.ts';
import { memoryFor } from '#server/runs/start/memory-for.ts';
import { stepsOf } from './enrich-emails.ts';
import { priceEnrichment } from './price-enrichment.ts';
import { sortLeads } from './sort-leads.ts';

/**
 * Returns what an enrichment of the caller's list, or of some of its leads, would cost.
 * @throws NOT_FOUND
 */
export async function estimateEnrichment(
  { deps: { db }, user }: Ctx,
  body: z.output<typeof estimateEnrichmentEndpoint.body>,
): Promise<EnrichmentEstimate> {
  const { leadIds, ...list } = await readSelection(db, user.userId, body);
  const steps = stepsOf(body.steps);
  const memory = await memoryFor(db, list, 'hunter_io');
  const sorted = await sortLeads(db, list.id, leadIds);
  const meant = { listId: list.id, leadIds, domains: [...sorted.domains.keys()] };
  // What other lists know of an email is remembered anyway.
  const elsewhere = findsEmails(steps) ? await countElsewhere(db, memory, meant) : 0;
  const price = await priceEnrichment(db, memory, list.id, { leadIds, steps, sorted });
  return { ...price, elsewhere, sandbox: memory.sandbox };
}
