import type { z } from 'zod/mini';
import type { ComplianceEstimate, estimateComplianceEndpoint } from '#contract/work/compliance.ts';
import type { Ctx } from '#server/http/context.ts';
import { countElsewhere } from '#server/leads/count-elsewhere.ts';
import { readSelection } from '#server/leads/read-selection.ts';
import { memoryFor } from '#server/runs/start/memory-for.ts';
import { priceCompliance } from './price-compliance.ts';

/**
 * Returns what a check of the caller's list, or of some of its leads, would cost.
 * @throws NOT_FOUND
 */
export async function estimateCompliance(
  { deps: { db }, user }: Ctx,
  body: z.output<typeof estimateComplianceEndpoint.body>,
): Promise<ComplianceEstimate> {
  const { leadIds, ...list } = await readSelection(db, user.userId, body);
  const memory = await memoryFor(db, list, 'searchbug');
  const elsewhere = await countElsewhere(db, memory, { listId: list.id, leadIds, domains: [] });
  return { ...(await priceCompliance(db, memory, list.id, leadIds)), elsewhere, sandbox: memory.sandbox };
}
