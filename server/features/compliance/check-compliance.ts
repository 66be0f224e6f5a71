import type { z } from 'zod/mini';
import { type checkCompliance as endpoint, summariseCompliance } from '#contract/compliance.ts';
import type { DataOf } from '#contract/endpoint.ts';
import type { Db } from '#db/client.ts';
import { notFound } from '#server/http/app-error.ts';
import type { Ctx } from '#server/http/context.ts';
import { countKnown } from '#server/paid-calls/count-known.ts';
import { awaitRun } from '#server/runs/await-run.ts';
import { isUuid, ownList } from '#server/runs/rows.ts';
import { startRun } from '#server/runs/start-run.ts';
import type { ComplianceInput } from './compliance-run.ts';
import { scrubOperation } from './scrub-operation.ts';
import { sortPhones } from './sort-phones.ts';

/**
 * Checks the phones of a list, or of some of its leads, or joins the check that is under way. Answers the summary of the whole list:
 * leads with a verdict, and what all its checks have cost. Throws NOT_FOUND for a lead of another list, and what startRun and awaitRun throw.
 */
export async function checkCompliance(
  ctx: Ctx,
  body: z.output<typeof endpoint.body>,
): Promise<DataOf<typeof endpoint>> {
  const { deps, user, signal } = ctx;
  const listId = body.list_id;
  const leadIds = body.lead_ids && [...new Set(body.lead_ids)];
  if (leadIds) {
    await ownList(deps.db, user.userId, listId);
    await refuseForeignLeads(deps.db, listId, leadIds);
  }
  const input: ComplianceInput = { leadIds: leadIds ?? null };
  const runId = await startRun(ctx, {
    kind: 'compliance',
    listId,
    provider: 'searchbug',
    input,
    async estimateMicros(tx, list, sandbox) {
      const numbers = [...(await sortPhones(tx, list.id, leadIds)).numbers.keys()];
      const known = await countKnown(tx, { userId: user.userId, sandbox }, scrubOperation, numbers);
      return (numbers.length - known) * scrubOperation.estimateMicros;
    },
  });
  await awaitRun(deps, runId, signal);
  const list = await ownList(deps.db, user.userId, listId);
  const statuses = await deps.db
    .selectFrom('leads')
    .select('compliance_status')
    .where('list_id', '=', listId)
    .execute();
  return summariseCompliance(statuses, list.compliance_cost_micros);
}

async function refuseForeignLeads(db: Db, listId: string, leadIds: readonly string[]): Promise<void> {
  if (!leadIds.every(isUuid)) throw notFound('A selected lead');
  const { count } = await db
    .selectFrom('leads')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('list_id', '=', listId)
    .where('id', 'in', leadIds)
    .executeTakeFirstOrThrow();
  if (Number(count) !== leadIds.length) throw notFound('A selected lead');
}
