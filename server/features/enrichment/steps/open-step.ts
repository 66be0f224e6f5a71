import { guardedTransaction } from '#db/connection/guarded-transaction.ts';
import type { EnrichmentProgress } from '#server/features/enrichment/enrichment-progress.ts';
import type { LeadsByDomain } from '#server/features/enrichment/sort-leads.ts';
import { stillContactable } from '#server/leads/suppressed.ts';
import { chunks } from '#server/lib/chunks.ts';
import { mayReceive } from '#websites/mail-exchange.ts';
import { findOpenEmails, findOpenSites, loadedReleases } from './find-open-emails.ts';
import type { FreeStep, FreeStepContext } from './free-step.ts';
import { putAtSites } from './put-at-sites.ts';
import { stillWithout } from './still-without.ts';
import { storeOpenFinds } from './store-open-finds.ts';

const DOMAINS_AT_ONCE = 100;
const LEADS_AT_ONCE = 200;

/** Looks in the open data that is loaded here: the places of the same kind, sandbox or real, that are the same businesses. */
export const openStep: FreeStep = {
  name: 'open',
  async find(context, sorted, domains, progress) {
    const { deps, run } = context;
    const { domains: leadsOf } = sorted;
    const settled = new Set<string>();
    const releases = await loadedReleases(deps.db, run.sandbox);
    if (releases.length === 0) return settled;
    for (const chunk of chunks(domains, DOMAINS_AT_ONCE)) {
      context.signal.throwIfAborted();
      // Someone may have been suppressed since the run began.
      const free = await stillContactable(deps.db, leadsOf, chunk);
      const ids = free.flatMap((domain) => leadsOf.get(domain) ?? []);
      const matched = await findOpenEmails(deps.db, run.userId, releases, ids);
      const reachable = await reachableOf(context, matched);
      const found = matched.filter(reachable);
      await guardedTransaction(deps.db, (tx) => storeOpenFinds(tx, run, found));
      context.waits.moved();
      const without = await stillWithout(deps.db, ids);
      for (const domain of free) if (!leadsOf.get(domain)?.some((id) => without.has(id))) settled.add(domain);
    }
    for (const domain of await lookForSites(context, sorted, releases, progress)) settled.delete(domain);
    return settled;
  },
};

/**
 * Looks for leads that have no website of their own, and returns the domains that got a lead without an email by that.
 * The websites found stand among the domains of the run from then on.
 */
async function lookForSites(
  context: FreeStepContext,
  sorted: LeadsByDomain,
  releases: readonly number[],
  progress: EnrichmentProgress,
): Promise<Set<string>> {
  const { deps, run } = context;
  const before = sorted.domains.size;
  const without = new Set<string>();
  for (const ids of chunks(sorted.withoutSite, LEADS_AT_ONCE)) {
    context.signal.throwIfAborted();
    const free = await stillContactable(deps.db, new Map(ids.map((id) => [id, [id]])), ids);
    const matched = await findOpenSites(deps.db, run.userId, releases, free);
    const reachable = await reachableOf(context, matched);
    const found = matched.map((one) => (reachable(one) ? one : { ...one, email: undefined }));
    await guardedTransaction(deps.db, (tx) => storeOpenFinds(tx, run, found));
    context.waits.moved();
    for (const domain of putAtSites(sorted, found)) without.add(domain);
  }
  progress.add({ domains: sorted.domains.size - before });
  return without;
}

type MayHaveEmail = { email: string | undefined };

/** Tells which of the emails can receive mail. */
async function reachableOf(
  { deps, run }: FreeStepContext,
  found: readonly MayHaveEmail[],
): Promise<(one: MayHaveEmail) => boolean> {
  const hosts = new Set(found.flatMap(({ email }) => (email === undefined ? [] : [hostOf(email)])));
  const states = await Promise.all(
    [...hosts].map(async (host) => [host, await deps.websites.mailState(run.sandbox, host)] as const),
  );
  const good = new Set(states.flatMap(([host, state]) => (mayReceive(state) ? [host] : [])));
  return ({ email }) => email !== undefined && good.has(hostOf(email));
}

const hostOf = (email: string) => email.slice(email.indexOf('@') + 1);
