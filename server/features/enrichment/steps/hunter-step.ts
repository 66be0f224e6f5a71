import { setTimeout as sleep } from 'node:timers/promises';
import { prices } from '#providers/prices.ts';
import { type EmailFinder, ProviderError } from '#providers/provider.ts';
import {
  type DomainAnswer,
  domainSearchOperation,
  REMEMBER_DOMAIN_MS,
  REMEMBER_REFUSAL_MS,
} from '#server/features/enrichment/domain-search-operation.ts';
import type { EnrichmentProgress } from '#server/features/enrichment/enrichment-progress.ts';
import { storeContacts } from '#server/features/enrichment/store-contacts.ts';
import { stillContactable } from '#server/leads/suppressed.ts';
import { chunks } from '#server/lib/chunks.ts';
import { forEachAtOnce } from '#server/lib/for-each-at-once.ts';
import { throughOutage } from '#server/lib/through-outage.ts';
import { batchSteps } from '#server/paid-calls/departure/batched-steps.ts';
import { takeDeparture } from '#server/paid-calls/departure/departures.ts';
import type { Settling } from '#server/paid-calls/ledger/settle-calls.ts';
import type { Bought, Purchase } from '#server/paid-calls/operation.ts';
import { pay, payFromMemory } from '#server/paid-calls/pay.ts';
import type { ListRunContext } from '#server/runs/run-context.ts';
import { websiteDomain } from '#server/websites/website-domain.ts';

/** Enough for ten calls a second to leave even when each takes three seconds. */
const AT_ONCE = 32;
const MEMORY_CHUNK = 200;

type HunterStep = {
  /** Lead ids by domain. */
  leadsOf: ReadonlyMap<string, readonly string[]>;
  /** The domains to look up. */
  domains: readonly string[];
  /** Whether Hunter is asked first how many addresses it has, which is free: a domain without any is then not searched. */
  countFirst: boolean;
  progress: EnrichmentProgress;
};

/** Looks up domains at Hunter, each once, and writes what is found to their leads. */
export async function searchDomains(
  context: ListRunContext,
  { leadsOf, domains, countFirst, progress }: HunterStep,
): Promise<void> {
  const { deps, run } = context;
  progress.add({ domainsForHunter: domains.length });
  const finder = deps.providers.emailFinder(context.key.apiKey);
  // Not aborted: what was sent is awaited, because it may be paid.
  const takeTurn = async () => void (await sleep(await throughOutage(() => takeDeparture(context, 'hunter_io'))));
  const domainSearch: Settling<DomainAnswer> = {
    operation: domainSearchOperation,
    store: (tx, answered) => storeContacts(tx, run, leadsOf, answered),
  };
  const steps = batchSteps(context, domainSearch);
  const purchase = (subjects: readonly string[]): Purchase<DomainAnswer> => ({
    ...domainSearch,
    subjects,
    send: async ([domain = '']) => new Map([[domain, await lookUp(finder, domain, countFirst, takeTurn)]]),
  });
  const count = (outcomes: Awaited<ReturnType<typeof pay<DomainAnswer>>>) => {
    for (const outcome of outcomes.values()) {
      if (outcome.state === 'uncertain') progress.add({ domainsUncertain: 1 });
      else progress.add({ domainsDone: 1, domainsKnown: outcome.known ? 1 : 0 });
    }
  };
  const unknown: string[] = [];
  for (const chunk of chunks(domains, MEMORY_CHUNK)) {
    const known = await payFromMemory(context, purchase(chunk));
    count(known);
    unknown.push(...chunk.filter((domain) => !known.has(domain)));
  }
  await forEachAtOnce(unknown, AT_ONCE, async (domain, failed) => {
    // A refused key is refused for every domain: those that wait for their turn need not ask as well.
    const signal = AbortSignal.any([context.signal, failed]);
    // Someone may have been suppressed since the run began.
    if ((await stillContactable(deps.db, leadsOf, [domain])).length === 0) return;
    count(await pay({ ...context, signal }, purchase([domain]), steps));
  });
}

/**
 * Returns what one domain brought, found or not. An answer about another domain is not about this business.
 * A domain that Hunter refuses, or may not speak about, is skipped and does not stop the others.
 */
async function lookUp(
  finder: EmailFinder,
  domain: string,
  countFirst: boolean,
  takeTurn: () => Promise<void>,
): Promise<Bought<DomainAnswer>> {
  const nothing = { answer: { contacts: [] }, costMicros: prices.hunterMissMicros };
  try {
    if (countFirst) {
      if ((await countOf(finder, domain)) === 0) return { ...nothing, rememberMs: REMEMBER_DOMAIN_MS };
      await takeTurn();
    }
    const { domain: about, contacts } = await finder.searchDomain(domain, { takeTurn });
    const costMicros = contacts.length > 0 ? prices.hunterDomainMicros : prices.hunterMissMicros;
    const same = websiteDomain(about);
    const ours = same.kind === 'own' && same.domain === domain;
    return { answer: { contacts: ours ? contacts : [] }, costMicros, rememberMs: REMEMBER_DOMAIN_MS };
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'legal_block')
      return { ...nothing, rememberMs: REMEMBER_DOMAIN_MS };
    if (error instanceof ProviderError && error.kind === 'bad_request')
      return { ...nothing, rememberMs: REMEMBER_REFUSAL_MS };
    throw error;
  }
}

/** Undefined where Hunter does not say: the search then tells, and so does its failure. */
async function countOf(finder: EmailFinder, domain: string): Promise<number | undefined> {
  try {
    return await finder.countEmails(domain);
  } catch (error) {
    if (error instanceof ProviderError) return undefined;
    throw error;
  }
}
