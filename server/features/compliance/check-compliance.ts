import type { DataOf } from '#contract/endpoint.ts';
import { type checkComplianceEndpoint, summarizeCompliance } from '#contract/work/compliance.ts';
import { KEPT } from '#db/connection/kept-statements.ts';
import type { Ctx } from '#server/http/context.ts';
import type { Input } from '#server/http/route.ts';
import { readChosen } from '#server/leads/read-selection.ts';
import { ownList } from '#server/runs/rows.ts';
import { readAtEnd } from '#server/runs/run-to-end.ts';
import { startRun } from '#server/runs/start/start-run.ts';
import type { ComplianceInput } from './compliance-run.ts';
import { priceCompliance } from './price-compliance.ts';

/**
 * Checks the phones of a list, or of some of its leads, or joins the check under way.
 * Returns the summary of the whole list: leads with a verdict, and what all its checks have cost.
 * @throws NOT_FOUND for a lead of another list.
 * @throws what startRun and readAtEnd throw.
 */
export async function checkCompliance(
  ctx: Ctx,
  { body, query }: Input<typeof checkComplianceEndpoint>,
): Promise<DataOf<typeof checkComplianceEndpoint>> {
  const {
    deps: { db },
    user: { userId },
  } = ctx;
  const about = { kind: 'compliance', listId: body.list_id } as const;
  const start = async () => {
    const leadIds = await readChosen(db, userId, body);
    const input: ComplianceInput = { leadIds: leadIds ?? null };
    return startRun(ctx, {
      ...about,
      provider: 'searchbug',
      input,
      maxCost: body.max_cost,
      quotedSandbox: body.sandbox,
      estimateMicros: async (tx, list, sandbox) =>
        (await priceCompliance(tx, { userId, sandbox }, list.id, leadIds)).boundMicros,
    });
  };
  const readChecked = () =>
    Promise.all([
      ownList(db, userId, body.list_id),
      db
        .selectFrom('leads')
        .modifyFront(KEPT)
        .select(['compliance_status', 'compliance_checked_at'])
        .where('list_id', '=', body.list_id)
        .execute(),
    ]);
  const [list, verdicts] = await readAtEnd(ctx, { ...about, begun: query.run }, start, readChecked);
  return summarizeCompliance(verdicts, list.compliance_cost_micros);
}
