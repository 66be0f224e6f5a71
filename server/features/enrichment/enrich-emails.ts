import type { DataOf } from '#contract/endpoint.ts';
import { microsToDollars } from '#contract/money/costs.ts';
import type { enrichEmailsEndpoint } from '#contract/work/enrichment.ts';
import { EnrichmentTotals } from '#contract/work/runs.ts';
import type { Ctx } from '#server/http/context.ts';
import type { Input } from '#server/http/route.ts';
import { costOfRun } from '#server/paid-calls/ledger/cost-of-run.ts';
import { runToEnd } from '#server/runs/run-to-end.ts';
import { startRun } from '#server/runs/start/start-run.ts';
import { priceEnrichment } from './price-enrichment.ts';

/** Enriches a list, or joins the enrichment that is under way. Throws what startRun and runToEnd throw. */
export async function enrichEmails(
  ctx: Ctx,
  { body, query }: Input<typeof enrichEmailsEndpoint>,
): Promise<DataOf<typeof enrichEmailsEndpoint>> {
  const { deps, user } = ctx;
  const about = { kind: 'enrichment', listId: body.list_id } as const;
  const run = await runToEnd(ctx, { ...about, begun: query.run }, () =>
    startRun(ctx, {
      ...about,
      provider: 'hunter_io',
      input: {},
      maxCost: body.max_cost,
      estimateMicros: async (tx, list, sandbox) =>
        (await priceEnrichment(tx, { userId: user.userId, sandbox }, list.id)).boundMicros,
    }),
  );
  const totals = EnrichmentTotals.parse(run.totals);
  return {
    total_domains_processed: totals.domainsDone,
    leads_updated: totals.leadsUpdated,
    emails_added: totals.emailsAdded,
    contacts_added: totals.contactsAdded,
    cost: microsToDollars(await costOfRun(deps.db, run.id)),
  };
}
