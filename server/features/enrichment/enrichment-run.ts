import { z } from 'zod/mini';
import { asksHunter, EnrichmentStep, findsEmails } from '#contract/work/enrichment-steps.ts';
import { completenessAfterEmails } from '#contract/work/search/completeness.ts';
import { noteCredits } from '#server/provider-balances/note-credits.ts';
import { startProgress } from '#server/runs/progress/progress.ts';
import type { ListKindDefinition } from '#server/runs/run-context.ts';
import type { EnrichmentProgress } from './enrichment-progress.ts';
import { type LeadsByDomain, sortLeads } from './sort-leads.ts';
import type { FreeStepContext } from './steps/free-step.ts';
import { lookForFree, looksForFree } from './steps/free-steps.ts';
import { searchDomains } from './steps/hunter-step.ts';
import { verifyEmails } from './steps/verifier-step.ts';

/**
 * What an enrichment stores as its input.
 * - Without ids, all leads of the list are meant.
 * - Without steps, Hunter alone is meant: runs were stored so when there was no other step.
 */
export const EnrichmentInput = z.object({
  leadIds: z.optional(z.array(z.string())),
  steps: z._default(z.array(EnrichmentStep), ['hunter']),
});
export type EnrichmentInput = z.infer<typeof EnrichmentInput>;

/** Looks up each domain of a list by the run's steps, writes what it finds to the leads, and verifies emails if asked to. */
export const enrichmentKind: ListKindDefinition = {
  provider: 'hunter_io',
  async execute(context) {
    await work(context, async (sorted, { steps, leadIds }, domains, progress) => {
      if (steps.includes('hunter'))
        await searchDomains(context, { sorted, domains, freeFirst: looksForFree(steps), progress });
      else progress.add({ domainsDone: domains.length });
      if (steps.includes('verifier')) await verifyEmails(context, leadIds, progress);
    });
    return { afterwards: (stopping) => noteCredits({ ...context, signal: stopping }) };
  },
  withoutKey: {
    isEnoughFor: (input) => !asksHunter(EnrichmentInput.parse(input).steps),
    async execute(context) {
      await work(context, async (_sorted, _input, domains, progress) => progress.add({ domainsDone: domains.length }));
      return undefined;
    },
  },
  async listAfter(tx, list, end, input) {
    const has = await tx
      .selectFrom('leads')
      .select((eb) => [
        eb.fn.coalesce(eb.fn.agg<boolean>('bool_or', [eb('email', 'is not', null)]), eb.lit(false)).as('emails'),
        eb.fn.coalesce(eb.fn.agg<boolean>('bool_or', [eb('owner_name', 'is not', null)]), eb.lit(false)).as('contacts'),
      ])
      .where('list_id', '=', list.id)
      .executeTakeFirstOrThrow();
    const found = { has_emails: has.emails, has_contacts: has.contacts };
    // With some leads only, the list is no more complete than it was.
    const { leadIds, steps } = EnrichmentInput.safeParse(input).data ?? { steps: [] };
    if (end !== 'completed' || leadIds || !findsEmails(steps)) return found;
    return {
      ...found,
      tier2_complete: true,
      completeness: completenessAfterEmails({
        tier3Complete: list.tier3_complete,
        tier4Complete: list.tier4_complete,
      }),
    };
  },
};

/** Takes the free steps, and then `rest` with the domains that are still without an answer. */
async function work(
  context: FreeStepContext,
  rest: (
    sorted: LeadsByDomain,
    input: EnrichmentInput,
    domains: readonly string[],
    progress: EnrichmentProgress,
  ) => Promise<void>,
): Promise<void> {
  const { deps, run } = context;
  const input = EnrichmentInput.parse(run.input);
  const { leadIds, steps } = input;
  const sorted = await sortLeads(deps.db, run.listId, leadIds);
  const { leads, suppressed, withoutWebsite, onSharedHost } = sorted;
  const domains = findsEmails(steps) ? sorted.domains.size : 0;
  const progress = startProgress(context, {
    leads,
    suppressed,
    withoutWebsite,
    onSharedHost,
    domains,
    domainsDone: 0,
    domainsKnown: 0,
    domainsUncertain: 0,
    domainsForHunter: 0,
    sites: 0,
    sitesDone: 0,
    sitesKnown: 0,
    sitesFound: 0,
    sitesRefused: 0,
    emailsToVerify: 0,
    emailsVerified: 0,
    emailsKnown: 0,
    emailsInvalid: 0,
    emailsPending: 0,
    emailsUncertain: 0,
    emailsSuppressed: 0,
  });
  try {
    const open = findsEmails(steps) ? await lookForFree(context, sorted, steps, progress) : [];
    await rest(sorted, input, open, progress);
  } finally {
    await progress.flush();
  }
}
