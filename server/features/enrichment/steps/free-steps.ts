import type { EnrichmentStep } from '#contract/work/enrichment-steps.ts';
import type { EnrichmentProgress } from '#server/features/enrichment/enrichment-progress.ts';
import type { LeadsByDomain } from '#server/features/enrichment/sort-leads.ts';
import type { FreeStep, FreeStepContext } from './free-step.ts';
import { openStep } from './open-step.ts';
import { websiteStep } from './website-step.ts';

/** In the order in which they are taken: what is here already comes before what has to be fetched. */
const FREE_STEPS: readonly FreeStep[] = [openStep, websiteStep];

/** Whether an enrichment looks anywhere but at Hunter. */
export const looksForFree = (steps: readonly EnrichmentStep[]): boolean =>
  FREE_STEPS.some(({ name }) => steps.includes(name));

/** Takes the chosen free steps, and returns the domains that are still without a good answer. */
export async function lookForFree(
  context: FreeStepContext,
  sorted: LeadsByDomain,
  steps: readonly EnrichmentStep[],
  progress: EnrichmentProgress,
): Promise<string[]> {
  if (!looksForFree(steps)) return [...sorted.domains.keys()];
  const settled = new Set(sorted.foundFree);
  progress.add({ domainsDone: settled.size });
  for (const step of FREE_STEPS) {
    if (!steps.includes(step.name)) continue;
    const open = [...sorted.domains.keys()].filter((domain) => !settled.has(domain) && !sorted.answered.has(domain));
    const found = await step.find(context, sorted, open, progress);
    for (const domain of found) settled.add(domain);
    progress.add({ domainsDone: found.size });
  }
  return [...sorted.domains.keys()].filter((domain) => !settled.has(domain));
}
