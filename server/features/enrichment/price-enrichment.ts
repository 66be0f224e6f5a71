import type { EnrichmentEstimate } from '#contract/work/enrichment.ts';
import type { EnrichmentStep } from '#contract/work/enrichment-steps.ts';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import { countKnown, type Memory } from '#server/paid-calls/memory/count-known.ts';
import { leadsToCome } from '#server/runs/leads-to-come.ts';
import { domainSearchOperation } from './domain-search-operation.ts';
import { type LeadsByDomain, sortLeads } from './sort-leads.ts';
import { looksForFree } from './steps/free-steps.ts';
import { countSites } from './steps/site-memory.ts';

/**
 * Returns the most that an enrichment of a list, or of some of its leads, can cost, for its dialog and for the bound of its run.
 * What is known costs nothing, and neither does what a free step has found. Each lead that a search may still bring counts as one domain.
 */
export async function priceEnrichment(
  db: Db | Tx,
  memory: Memory,
  listId: string,
  {
    leadIds,
    steps,
    sorted,
  }: {
    leadIds?: readonly string[] | undefined;
    steps: readonly EnrichmentStep[];
    sorted?: LeadsByDomain | undefined;
  },
): Promise<Omit<EnrichmentEstimate, 'elsewhere'>> {
  const { leads, suppressed, withoutWebsite, onSharedHost, domains, answered, foundFree } =
    sorted ?? (await sortLeads(db, listId, leadIds));
  const free = new Set(looksForFree(steps) ? foundFree : []);
  let toVisit = 0;
  if (steps.includes('website')) {
    const open = [...domains.keys()].filter((domain) => !free.has(domain) && !answered.has(domain));
    const { known, found } = await countSites(db, memory.sandbox, open);
    toVisit = open.length - known;
    for (const domain of found) free.add(domain);
  }
  const forHunter = steps.includes('hunter') ? [...domains.keys()].filter((domain) => !free.has(domain)) : [];
  const { known } = await countKnown(db, memory, domainSearchOperation, forHunter);
  const toLookUp = forHunter.length - known;
  const toCome = leadIds || !steps.includes('hunter') ? 0 : await leadsToCome(db, listId);
  return {
    ...{ leads, suppressed, withoutWebsite, onSharedHost },
    ...{ toLookUp, known, toVisit, foundFree: free.size },
    boundMicros: (toLookUp + toCome) * domainSearchOperation.estimateMicros,
    callMicros: domainSearchOperation.estimateMicros,
  };
}
