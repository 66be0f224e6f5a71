import type { DataOf } from '#contract/endpoint.ts';
import { microsToDollars } from '#contract/money/costs.ts';
import type { enrichEmailsEndpoint } from '#contract/work/enrichment.ts';
import { EnrichmentTotals } from '#contract/work/runs.ts';
import type { Ctx } from '#server/http/context.ts';
import type { Input } from '#server/http/route.ts';
import { readSelection } from '#server/leads/read-selection.ts';
import { costOfRun } from '#server/paid-calls/ledger/cost-of-run.ts';
import { runToEnd } from '#server/runs/run-to-end.ts';
import { startRun } from '#server/runs/start/start-run.ts';
import type { EnrichmentInput } from './enrichment-run.ts';
import { priceEnrichment } from './price-enrichment.ts';

/** Enriches a list, or some of its leads, or joins the enrichment that is under way. Throws what startRun and runToEnd throw. */
export async function enrichEmails(
  ctx: Ctx,
  { body, query }: Input<typeof enrichEmailsEndpoint>,
): Promise<DataOf<typeof enrichEmailsEndpoint>> {
  const { deps, user } = ctx;
  const about = { kind: 'enrichment', listId: body.list_id } as const;
  const run = await runToEnd(ctx, { ...about, begun: query.run }, async () => {
    const { leadIds } = await readSelection(deps.db, user.userId, body);
    const input: EnrichmentInput = leadIds ? { leadIds } : {};
    return startRun(ctx, {
      ...about,
      provider: 'hunter_io',
      input,
      maxCost: body.max_cost,
      estimateMicros: async (tx, list, sandbox) =>
        (await priceEnrichment(tx, { userId: user.userId, sandbox }, list.id, leadIds)).boundMicros,
    });
  });
  const totals = EnrichmentTotals.parse(run.totals);
  return {
    total_domains_processed: totals.domainsDone,
    leads_updated: totals.leadsUpdated,
    emails_added: totals.emailsAdded,
    contacts_added: totals.contactsAdded,
    cost: microsToDollars(await costOfRun(deps.db, run.id)),
  };
}
