import type { EnrichmentStep } from '#contract/work/enrichment-steps.ts';
import type { EnrichmentProgress } from '#server/features/enrichment/enrichment-progress.ts';
import type { LeadsByDomain } from '#server/features/enrichment/sort-leads.ts';
import type { KeylessContext, ListRunContext } from '#server/runs/run-context.ts';

export type FreeStepContext = KeylessContext<ListRunContext>;

/** A place to look that costs nothing and needs no key. */
export type FreeStep = {
  name: Exclude<EnrichmentStep, 'hunter'>;
  /**
   * Looks for all of the domains, stores what it finds in their leads, and returns the domains that now have a good answer.
   * What it has done already is remembered: a run that begins again goes on where it was.
   * @throws RunStopped, and the reason of the context's signal.
   */
  find(
    context: FreeStepContext,
    sorted: LeadsByDomain,
    domains: readonly string[],
    progress: EnrichmentProgress,
  ): Promise<ReadonlySet<string>>;
};
