import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod/mini';
import { completenessAfterEmails } from '#contract/work/completeness.ts';
import { prices } from '#providers/prices.ts';
import { type EmailFinder, ProviderError } from '#providers/provider.ts';
import { stillContactable } from '#server/leads/suppressed.ts';
import { chunks } from '#server/lib/chunks.ts';
import { forEachAtOnce } from '#server/lib/for-each-at-once.ts';
import { throughOutage } from '#server/lib/through-outage.ts';
import { batchSteps } from '#server/paid-calls/departure/batched-steps.ts';
import { takeDeparture } from '#server/paid-calls/departure/departures.ts';
import type { Settling } from '#server/paid-calls/ledger/settle-calls.ts';
import type { Bought, Purchase } from '#server/paid-calls/operation.ts';
import { pay, payFromMemory } from '#server/paid-calls/pay.ts';
import { noteCredits } from '#server/provider-balances/note-credits.ts';
import { startProgress } from '#server/runs/progress.ts';
import type { ListKindDefinition } from '#server/runs/run-context.ts';
import { websiteDomain } from '#server/websites/website-domain.ts';
import {
  type DomainAnswer,
  domainSearchOperation,
  REMEMBER_DOMAIN_MS,
  REMEMBER_REFUSAL_MS,
} from './domain-search-operation.ts';
import { sortLeads } from './sort-leads.ts';
import { storeContacts } from './store-contacts.ts';

/** Enough for ten calls a second to leave even when each takes three seconds. */
const AT_ONCE = 32;
const MEMORY_CHUNK = 200;

/** What an enrichment stores as its input: without ids, all leads of the list are meant. */
export const EnrichmentInput = z.object({ leadIds: z.optional(z.array(z.string())) });
export type EnrichmentInput = z.infer<typeof EnrichmentInput>;

/** Looks up each domain of a list once and writes what is found to its leads. */
export const enrichmentKind: ListKindDefinition = {
  provider: 'hunter_io',
  async execute(context) {
    const { deps, run } = context;
    const { domains, ...counts } = await sortLeads(deps.db, run.listId, EnrichmentInput.parse(run.input).leadIds);
    const progress = await startProgress(context, {
      ...counts,
      domains: domains.size,
      domainsDone: 0,
      domainsKnown: 0,
      domainsUncertain: 0,
    });
    const finder = deps.providers.emailFinder(context.key.apiKey);
    // Not aborted: what was sent is awaited, because it may be paid.
    const takeTurn = async () => void (await sleep(await throughOutage(() => takeDeparture(context, 'hunter_io'))));
    const domainSearch: Settling<DomainAnswer> = {
      operation: domainSearchOperation,
      store: (tx, answered) => storeContacts(tx, run, domains, answered),
    };
    const steps = batchSteps(context, domainSearch);
    const purchase = (subjects: readonly string[]): Purchase<DomainAnswer> => ({
      ...domainSearch,
      subjects,
      send: async ([domain = '']) => new Map([[domain, await lookUp(finder, domain, takeTurn)]]),
    });
    const count = (outcomes: Awaited<ReturnType<typeof pay<DomainAnswer>>>) => {
      for (const outcome of outcomes.values()) {
        if (outcome.state === 'uncertain') progress.add({ domainsUncertain: 1 });
        else progress.add({ domainsDone: 1, domainsKnown: outcome.known ? 1 : 0 });
      }
    };
    try {
      const unknown: string[] = [];
      for (const chunk of chunks([...domains.keys()], MEMORY_CHUNK)) {
        const known = await payFromMemory(context, purchase(chunk));
        count(known);
        unknown.push(...chunk.filter((domain) => !known.has(domain)));
      }
      await forEachAtOnce(unknown, AT_ONCE, async (domain, failed) => {
        // A refused key is refused for every domain: those that wait for their turn need not ask as well.
        const signal = AbortSignal.any([context.signal, failed]);
        // Someone may have been suppressed since the run began.
        if ((await stillContactable(deps.db, domains, [domain])).length === 0) return;
        count(await pay({ ...context, signal }, purchase([domain]), steps));
      });
    } finally {
      await progress.flush();
    }
    return (stopping) => noteCredits({ ...context, signal: stopping });
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
    // Of some leads only, the list is no more complete than it was.
    if (end !== 'completed' || EnrichmentInput.parse(input).leadIds) return found;
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

/**
 * Returns what one domain brought, found or not. An answer about another domain is not about this business.
 * A domain that Hunter refuses, or may not speak about, is skipped and does not stop the others.
 */
async function lookUp(
  finder: EmailFinder,
  domain: string,
  takeTurn: () => Promise<void>,
): Promise<Bought<DomainAnswer>> {
  const nothing = { answer: { contacts: [] }, costMicros: prices.hunterMissMicros };
  try {
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
