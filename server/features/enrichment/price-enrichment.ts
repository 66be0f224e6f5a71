import type { EnrichmentEstimate } from '#contract/work/enrichment.ts';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import { countKnown, type Memory } from '#server/paid-calls/memory/count-known.ts';
import { leadsToCome } from '#server/runs/leads-to-come.ts';
import { domainSearchOperation } from './domain-search-operation.ts';
import { type LeadsByDomain, sortLeads } from './sort-leads.ts';

/**
 * Returns the most that an enrichment of a list, or of some of its leads, can cost, for its dialog and for the bound of its run.
 * What is known costs nothing. Each lead that a search may still bring counts as one domain.
 */
export async function priceEnrichment(
  db: Db | Tx,
  memory: Memory,
  listId: string,
  leadIds?: readonly string[],
  sorted?: LeadsByDomain,
): Promise<Omit<EnrichmentEstimate, 'elsewhere'>> {
  const { leads, suppressed, withoutWebsite, onSharedHost, domains } = sorted ?? (await sortLeads(db, listId, leadIds));
  const { known } = await countKnown(db, memory, domainSearchOperation, [...domains.keys()]);
  const toLookUp = domains.size - known;
  const toCome = leadIds ? 0 : await leadsToCome(db, listId);
  const boundMicros = (toLookUp + toCome) * domainSearchOperation.estimateMicros;
  return {
    leads,
    suppressed,
    withoutWebsite,
    onSharedHost,
    toLookUp,
    known,
    boundMicros,
    callMicros: domainSearchOperation.estimateMicros,
  };
}
