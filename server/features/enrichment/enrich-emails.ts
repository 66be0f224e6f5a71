import type { DataOf } from '#contract/endpoint.ts';
import { microsToDollars } from '#contract/money/costs.ts';
import type { enrichEmailsEndpoint } from '#contract/work/enrichment.ts';
import { asksHunter, ENRICHMENT_STEPS, type EnrichmentStep, FINDING_STEPS } from '#contract/work/enrichment-steps.ts';
import { EnrichmentTotals } from '#contract/work/runs.ts';
import type { Ctx } from '#server/http/context.ts';
import type { Input } from '#server/http/route.ts';
import { readChosen } from '#server/leads/read-selection.ts';
import { costOfRun } from '#server/paid-calls/ledger/cost-of-run.ts';
import { runToEnd } from '#server/runs/run-to-end.ts';
import { startRun } from '#server/runs/start/start-run.ts';
import type { EnrichmentInput } from './enrichment-run.ts';
import { priceEnrichment } from './price-enrichment.ts';

/** The steps to take, each once and in their order. When none are named: all but the verifier. */
export const stepsOf = (named: readonly EnrichmentStep[] | undefined): EnrichmentStep[] =>
  ENRICHMENT_STEPS.filter((step) => (named ?? FINDING_STEPS).includes(step));

/**
 * Enriches a list, or some of its leads, or joins the enrichment that is under way.
 * @throws what startRun and runToEnd throw.
 */
export async function enrichEmails(
  ctx: Ctx,
  { body, query }: Input<typeof enrichEmailsEndpoint>,
): Promise<DataOf<typeof enrichEmailsEndpoint>> {
  const { deps, user } = ctx;
  const about = { kind: 'enrichment', listId: body.list_id } as const;
  const run = await runToEnd(ctx, { ...about, begun: query.run }, async () => {
    const leadIds = await readChosen(deps.db, user.userId, body);
    const steps = stepsOf(body.steps);
    const input: EnrichmentInput = { ...(leadIds ? { leadIds } : {}), steps };
    return startRun(ctx, {
      ...about,
      provider: 'hunter_io',
      withoutKey: !asksHunter(steps),
      input,
      maxCost: body.max_cost,
      quotedSandbox: body.sandbox,
      estimateMicros: async (tx, list, sandbox) =>
        (await priceEnrichment(tx, { userId: user.userId, sandbox }, list.id, { leadIds, steps })).boundMicros,
    });
  });
  const totals = EnrichmentTotals.parse(run.totals);
  const verified = totals.emailsVerified - totals.emailsPending;
  return {
    total_domains_processed: totals.domainsDone,
    leads_updated: totals.leadsUpdated,
    emails_added: totals.emailsAdded,
    contacts_added: totals.contactsAdded,
    ...(totals.sitesFound > 0 ? { websites_found: totals.sitesFound } : {}),
    ...(verified > 0 ? { emails_verified: verified, emails_invalid: totals.emailsInvalid } : {}),
    cost: microsToDollars(await costOfRun(deps.db, run.id)),
  };
}
