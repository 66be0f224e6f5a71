import type { z } from 'zod/mini';
import { microsToDollars } from '#contract/costs.ts';
import type { DataOf } from '#contract/endpoint.ts';
import type { enrichEmails as endpoint } from '#contract/enrichment.ts';
import { EnrichmentTotals } from '#contract/runs.ts';
import type { Ctx } from '#server/http/context.ts';
import { costOfRun } from '#server/paid-calls/cost-of-run.ts';
import { awaitRun } from '#server/runs/await-run.ts';
import { startRun } from '#server/runs/start-run.ts';
import { priceEnrichment } from './price-enrichment.ts';

/** Enriches a list, or joins the enrichment that is under way. Throws what startRun and awaitRun throw. */
export async function enrichEmails(ctx: Ctx, body: z.output<typeof endpoint.body>): Promise<DataOf<typeof endpoint>> {
  const { deps, user, signal } = ctx;
  const runId = await startRun(ctx, {
    kind: 'enrichment',
    listId: body.list_id,
    provider: 'hunter_io',
    input: {},
    maxCost: body.max_cost,
    estimateMicros: async (tx, list, sandbox) =>
      (await priceEnrichment(tx, { userId: user.userId, sandbox }, list.id)).boundMicros,
  });
  const run = await awaitRun(deps, runId, signal);
  const totals = EnrichmentTotals.parse(run.totals);
  return {
    total_domains_processed: totals.domainsDone,
    leads_updated: totals.leadsUpdated,
    emails_added: totals.emailsAdded,
    contacts_added: totals.contactsAdded,
    cost: microsToDollars(await costOfRun(deps.db, runId)),
  };
}
