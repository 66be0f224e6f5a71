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
  const found = new Set<string>();
  let counted = 0;
  // A step may put a lead without an email at a domain that had an answer: what is settled is told again after each.
  const unsettled = () => {
    const left = [...sorted.domains.keys()].filter((domain) => !found.has(domain) && !sorted.foundFree.has(domain));
    const settled = sorted.domains.size - left.length;
    progress.add({ domainsDone: settled - counted });
    counted = settled;
    return left;
  };
  let left = unsettled();
  for (const step of FREE_STEPS) {
    if (!steps.includes(step.name)) continue;
    const open = left.filter((domain) => !sorted.answered.has(domain));
    for (const domain of await step.find(context, sorted, open, progress)) found.add(domain);
    left = unsettled();
  }
  return left;
}
