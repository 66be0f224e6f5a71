import type { SiteAnswer } from '#contract/work/site-visit.ts';
import { guardedTransaction } from '#db/connection/guarded-transaction.ts';
import { isValueRefused } from '#db/values/refused-value.ts';
import { cleanJson } from '#db/values/storable.ts';
import { keepingErasuresWaiting } from '#server/evidence/erase-evidence.ts';
import { type LeadsByDomain, sitesToVisit } from '#server/features/enrichment/sort-leads.ts';
import { stillContactable } from '#server/leads/suppressed.ts';
import { chunks } from '#server/lib/chunks.ts';
import { forEachAtOnce } from '#server/lib/for-each-at-once.ts';
import type { KnownBusiness } from '#websites/extract/names-business.ts';
import { mayReceive } from '#websites/mail-exchange.ts';
import type { SiteVisit } from '#websites/site-visit.ts';
import type { FreeStep, FreeStepContext } from './free-step.ts';
import {
  type KnownSite,
  recallSites,
  rememberByName,
  rememberSite,
  withoutErased,
  withoutSuppressed,
} from './site-memory.ts';
import { stillWithout } from './still-without.ts';
import { storeSites } from './store-sites.ts';

/** Sites visited at a time. Each takes some seconds, because it is asked only once a second. */
const AT_ONCE = 64;
const MEMORY_CHUNK = 200;
const SHARED_AT_ONCE = 1_000;
/** Leads of one site that its pages are compared with. */
const MOST_KNOWN = 20;

/** Stands in for what one website said and the database refused, so that the run goes on with the others. */
const UNREADABLE: SiteAnswer = { status: 'unreadable', emails: [], phones: [], profiles: [] };

/** What is told of a website on a host of many, which is not visited. */
const ON_SHARED_HOST: SiteAnswer = { status: 'social_only', emails: [], phones: [], profiles: [] };

/** `isByName`: of other businesses, the same website may say something else. */
type Told = { said: SiteAnswer; isByName: boolean };

/** Visits the businesses' own websites. */
export const websiteStep: FreeStep = {
  name: 'website',
  async find(context, sorted, domains, progress) {
    const { deps, run } = context;
    await noteSharedHosts(context, sorted.newOnSharedHost);
    const sites = sitesToVisit(sorted, domains);
    const leadsOf = new Map([...sites].map(([host, { ids }]) => [host, ids]));
    const found = new Set<string>();
    const store = (known: readonly KnownSite[]) => {
      for (const { host, answer } of known) if (answer.email) found.add(host);
      const refused = known.filter(({ answer }) => answer.status === 'refused_by_robots').length;
      progress.add({
        sitesDone: known.length,
        sitesFound: known.filter(({ answer }) => answer.email).length,
        sitesRefused: refused,
      });
    };
    progress.add({ sites: sites.size });
    const unknown: string[] = [];
    for (const chunk of chunks([...sites.keys()], MEMORY_CHUNK)) {
      context.signal.throwIfAborted();
      const known = await guardedTransaction(deps.db, async (tx) => {
        await keepingErasuresWaiting.execute(tx);
        const recalled = await withoutSuppressed(tx, await recallSites(tx, run.sandbox, chunk));
        await storeSites(tx, run, sites, recalled);
        return recalled;
      });
      progress.add({ sitesKnown: known.length });
      store(known);
      const names = new Set(known.map(({ host }) => host));
      unknown.push(...chunk.filter((host) => !names.has(host)));
    }
    await forEachAtOnce(unknown, AT_ONCE, async (host, failed) => {
      const signal = AbortSignal.any([context.signal, failed]);
      signal.throwIfAborted();
      // Someone may have been suppressed since the run began.
      if ((await stillContactable(deps.db, leadsOf, [host])).length === 0) return progress.add({ sitesDone: 1 });
      const businesses = await knownOf(context, leadsOf.get(host) ?? []);
      const [before] = await recallSites(deps.db, run.sandbox, [host], { orNoticed: true });
      const website = sites.get(host)?.website ?? host;
      const told = await ask({ ...context, signal }, { website, businesses, notice: before?.answer.notice });
      const keep = ({ said, isByName }: Told) =>
        guardedTransaction(deps.db, async (tx) => {
          await keepingErasuresWaiting.execute(tx);
          const answer = await withoutErased(tx, said);
          const site = await (isByName ? rememberByName : rememberSite)(tx, run.sandbox, host, answer);
          const known = await withoutSuppressed(tx, [site]);
          await storeSites(tx, run, sites, known);
          return known;
        });
      const known = await keep(told).catch((error: unknown) => {
        if (!isValueRefused(error)) throw error;
        deps.log.error({ err: error, host }, 'what a website said could not be stored');
        return keep({ said: UNREADABLE, isByName: false });
      });
      context.waits.moved();
      return store(known);
    });
    const answered = domains.filter((domain) =>
      [...(sorted.sites.get(domain)?.keys() ?? [])].some((host) => found.has(host)),
    );
    return withoutOpenLeads(context, sorted, answered);
  },
};

/** Says with leads whose website is a page on a social network, or on another host of many, that there is none to visit. */
async function noteSharedHosts({ deps: { db }, run, signal }: FreeStepContext, ids: readonly string[]): Promise<void> {
  for (const some of chunks(ids, SHARED_AT_ONCE)) {
    signal.throwIfAborted();
    const [host, visitedAt] = ['', new Date()];
    await guardedTransaction(db, async (tx) => {
      await keepingErasuresWaiting.execute(tx);
      await storeSites(tx, run, new Map([[host, { ids: [...some] }]]), [{ host, answer: ON_SHARED_HOST, visitedAt }]);
    });
  }
}

/** Those of the domains whose leads all have an email now: of several sites, each tells its own leads. */
async function withoutOpenLeads(
  { deps }: FreeStepContext,
  { domains: leadsOf }: LeadsByDomain,
  domains: readonly string[],
): Promise<Set<string>> {
  const done = new Set<string>();
  for (const chunk of chunks(domains, MEMORY_CHUNK)) {
    const without = await stillWithout(
      deps.db,
      chunk.flatMap((domain) => leadsOf.get(domain) ?? []),
    );
    for (const domain of chunk) if (!leadsOf.get(domain)?.some((id) => without.has(id))) done.add(domain);
  }
  return done;
}

/** What is known of the first leads of a site. */
async function knownOf({ deps }: FreeStepContext, ids: readonly string[]): Promise<KnownBusiness[]> {
  const leads = await deps.db
    .selectFrom('leads')
    .select(['business_name', 'phone'])
    .where('id', 'in', ids.slice(0, MOST_KNOWN))
    .execute();
  return leads.map(({ business_name: name, phone }) => ({ name, phone: phone ?? undefined }));
}

async function ask(
  { deps, run, signal }: FreeStepContext,
  site: Parameters<FreeStepContext['deps']['websites']['visit']>[2],
): Promise<Told> {
  const { isByName = false, ...visit } = await deps.websites.visit(deps.db, run.sandbox, site, signal);
  const said = await withMail(cleanJson(visit), (host) => deps.websites.mailState(run.sandbox, host));
  return { said, isByName };
}

/** Adds whether the domains of the addresses take mail. An address that cannot receive mail is no answer. */
async function withMail(
  { status, emails, ...rest }: Omit<SiteVisit, 'isByName'>,
  mailState: (host: string) => Promise<SiteAnswer['emails'][number]['mail']>,
): Promise<SiteAnswer> {
  const hosts = new Map<string, ReturnType<typeof mailState>>();
  const stateOf = (email: string) => {
    const host = email.slice(email.indexOf('@') + 1);
    const state = hosts.get(host) ?? mailState(host);
    hosts.set(host, state);
    return state;
  };
  const known = await Promise.all(emails.map(async (one) => ({ ...one, mail: await stateOf(one.email) })));
  const email = known.find(({ mail }) => mayReceive(mail));
  return { status, ...rest, emails: known, ...(email ? { email } : {}) };
}
