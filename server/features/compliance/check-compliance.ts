import type { z } from 'zod/mini';
import { type checkCompliance as endpoint, summariseCompliance } from '#contract/compliance.ts';
import type { DataOf } from '#contract/endpoint.ts';
import type { Ctx } from '#server/http/context.ts';
import { awaitRun } from '#server/runs/await-run.ts';
import { ownList } from '#server/runs/rows.ts';
import { startRun } from '#server/runs/start-run.ts';
import type { ComplianceInput } from './compliance-run.ts';
import { priceCompliance } from './price-compliance.ts';
import { readSelection } from './read-selection.ts';

/**
 * Checks the phones of a list, or of some of its leads, or joins the check that is under way. Answers the summary of the whole list:
 * leads with a verdict, and what all its checks have cost. Throws NOT_FOUND for a lead of another list, and what startRun and awaitRun throw.
 */
export async function checkCompliance(
  ctx: Ctx,
  body: z.output<typeof endpoint.body>,
): Promise<DataOf<typeof endpoint>> {
  const { deps, user, signal } = ctx;
  const { id: listId, leadIds } = await readSelection(deps.db, user.userId, body);
  const input: ComplianceInput = { leadIds: leadIds ?? null };
  const runId = await startRun(ctx, {
    kind: 'compliance',
    listId,
    provider: 'searchbug',
    input,
    maxCost: body.max_cost,
    estimateMicros: async (tx, list, sandbox) =>
      (await priceCompliance(tx, { userId: user.userId, sandbox }, list.id, leadIds)).boundMicros,
  });
  await awaitRun(deps, runId, signal);
  const list = await ownList(deps.db, user.userId, listId);
  const verdicts = await deps.db
    .selectFrom('leads')
    .select(['compliance_status', 'compliance_checked_at'])
    .where('list_id', '=', listId)
    .execute();
  return summariseCompliance(verdicts, list.compliance_cost_micros);
}
