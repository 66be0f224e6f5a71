import { setTimeout as sleep } from 'node:timers/promises';
import { guardedTransaction } from '#db/connection/guarded-transaction.ts';
import { prices } from '#providers/prices.ts';
import { type EmailFinder, ProviderError } from '#providers/provider.ts';
import { keepingErasuresWaiting } from '#server/evidence/erase-evidence.ts';
import {
  type DomainAnswer,
  domainSearchOperation,
  REMEMBER_DOMAIN_MS,
  REMEMBER_REFUSAL_MS,
} from '#server/features/enrichment/domain-search-operation.ts';
import type { EnrichmentProgress } from '#server/features/enrichment/enrichment-progress.ts';
import type { LeadsByDomain } from '#server/features/enrichment/sort-leads.ts';
import { storeContacts } from '#server/features/enrichment/store-contacts.ts';
import { stillContactable } from '#server/leads/suppressed.ts';
import { chunks } from '#server/lib/chunks.ts';
import { throughOutage } from '#server/lib/through-outage.ts';
import { takeDeparture } from '#server/paid-calls/departure/departures.ts';
import type { Bought } from '#server/paid-calls/operation.ts';
import type { ListRunContext } from '#server/runs/run-context.ts';
import { websiteDomain } from '#server/websites/website-domain.ts';
import { mayReceive } from '#websites/mail-exchange.ts';
import { askHunter } from './ask-hunter.ts';
import { recallSites, refusingSites } from './site-memory.ts';
import { storeSites } from './store-sites.ts';

const SITES_AT_ONCE = 200;

type HunterStep = {
  sorted: LeadsByDomain;
  /** The domains to look up. */
  domains: readonly string[];
  /**
   * Whether free steps come before this one. Then a domain that takes no mail is not searched, nor one of which Hunter has no address:
   * both are asked first, and free. What those steps have found stays.
   */
  freeFirst: boolean;
  progress: EnrichmentProgress;
};

/**
 * Looks up domains at Hunter, each once, and writes what is found to their leads.
 * A domain whose website refuses to have its addresses taken is left out.
 */
export async function searchDomains(
  context: ListRunContext,
  { sorted, domains, freeFirst, progress }: HunterStep,
): Promise<void> {
  const { deps, run } = context;
  const { domains: leadsOf } = sorted;
  const allowed = await withoutRefusing(context, sorted, domains);
  progress.add({ domainsForHunter: allowed.length, domainsDone: domains.length - allowed.length });
  const finder = deps.providers.emailFinder(context.key.apiKey);
  // Not aborted: what was sent is awaited, because it may be paid.
  const takeTurn = async () => void (await sleep(await throughOutage(() => takeDeparture(context, 'hunter_io'))));
  await askHunter(context, {
    settling: {
      operation: domainSearchOperation,
      store: (tx, answered) => storeContacts(tx, run, leadsOf, answered, { keepsFree: freeFirst }),
    },
    subjects: allowed,
    leadsOf,
    async send(domain) {
      const isWanted = async () => (await throughOutage(() => stillContactable(deps.db, leadsOf, [domain]))).length > 0;
      const takesMail = async () => mayReceive(await deps.websites.mailState(run.sandbox, domain));
      return lookUp(finder, domain, { freeFirst, takeTurn, takesMail, isWanted });
    },
    count(outcome) {
      if (outcome.state === 'uncertain') progress.add({ domainsUncertain: 1 });
      else progress.add({ domainsDone: 1, domainsKnown: outcome.known ? 1 : 0 });
    },
  });
}

/** Returns the domains whose websites do not refuse. The leads of the others are told why nothing is taken. */
async function withoutRefusing(
  { deps: { db }, run, signal }: ListRunContext,
  sorted: LeadsByDomain,
  domains: readonly string[],
): Promise<string[]> {
  const refusing = await refusingSites(db, run.sandbox, sorted, domains);
  const sites = new Map([...refusing].flatMap((domain) => [...(sorted.sites.get(domain) ?? [])]));
  for (const chunk of chunks([...sites.keys()], SITES_AT_ONCE)) {
    signal.throwIfAborted();
    await guardedTransaction(db, async (tx) => {
      await keepingErasuresWaiting.execute(tx);
      await storeSites(tx, run, sites, await recallSites(tx, run.sandbox, chunk, { orNoticed: true }));
    });
  }
  return domains.filter((domain) => !refusing.has(domain));
}

type Asking = Pick<HunterStep, 'freeFirst'> & {
  takeTurn(): Promise<void>;
  takesMail(): Promise<boolean>;
  isWanted(): Promise<boolean>;
};

/**
 * Returns what one domain brought, even if that is nothing. An answer about another domain is not about this business.
 * A domain that Hunter refuses, or may not speak about, is skipped and does not stop the others.
 */
async function lookUp(
  finder: EmailFinder,
  domain: string,
  { freeFirst, takeTurn, takesMail, isWanted }: Asking,
): Promise<Bought<DomainAnswer>> {
  const nothing = { answer: { contacts: [] }, costMicros: prices.hunterMissMicros };
  try {
    if (freeFirst) {
      if (!(await takesMail())) return { ...nothing, rememberMs: REMEMBER_REFUSAL_MS };
      if ((await countOf(finder, domain)) === 0) return { ...nothing, rememberMs: REMEMBER_DOMAIN_MS };
      await takeTurn();
      // Turns are rare where many wait for them. Someone may have been suppressed meanwhile.
      if (!(await isWanted())) return { ...nothing, rememberMs: 0 };
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

/** How many addresses Hunter has. Undefined when Hunter does not say: the search then tells, or its failure does. */
async function countOf(finder: EmailFinder, domain: string): Promise<number | undefined> {
  try {
    return await finder.countEmails(domain);
  } catch (error) {
    if (error instanceof ProviderError) return undefined;
    throw error;
  }
}
