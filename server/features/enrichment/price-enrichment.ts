import { sql } from 'kysely';
import type { EnrichmentEstimate } from '#contract/work/enrichment.ts';
import { asksHunter, type EnrichmentStep } from '#contract/work/enrichment-steps.ts';
import { EMAIL_CHECK_DAYS } from '#contract/work/retention.ts';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import { suppressedEmails } from '#server/leads/suppressed.ts';
import { chunks } from '#server/lib/chunks.ts';
import { countKnown, type Memory } from '#server/paid-calls/memory/count-known.ts';
import { remembered } from '#server/paid-calls/memory/remembered.ts';
import { leadsToCome } from '#server/runs/progress/leads-to-come.ts';
import { chooseEmail } from './choose-contacts.ts';
import { type DomainAnswer, domainSearchOperation } from './domain-search-operation.ts';
import { emailVerifyOperation } from './email-verify-operation.ts';
import { emailsToVerify } from './emails-to-verify.ts';
import { type LeadsByDomain, sitesToVisit, sortLeads } from './sort-leads.ts';
import { findOpenEmails, findOpenSites, loadedReleases } from './steps/find-open-emails.ts';
import { looksForFree } from './steps/free-steps.ts';
import { putAtSites } from './steps/put-at-sites.ts';
import { countSites, refusingSites } from './steps/site-memory.ts';
import { withoutSuppressedContacts } from './without-suppressed-contacts.ts';

const DAY_MS = 86_400_000;
const LEADS_AT_ONCE = 500;

/**
 * Returns the most that an enrichment can cost, for its dialog and for the bound of its run.
 * - It is about a list, or about some of its leads.
 * - What is known costs nothing, and neither does what a free step has found.
 * - Each lead that a search may still bring counts as one domain.
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
): Promise<Omit<EnrichmentEstimate, 'elsewhere' | 'sandbox'>> {
  const given = sorted ?? (await sortLeads(db, listId, leadIds));
  const found = steps.includes('open') ? await withOpenSites(db, memory, given) : given;
  const { leads, suppressed, withoutWebsite, onSharedHost, domains, answered, foundFree } = found;
  const free = new Set(looksForFree(steps) ? foundFree : []);
  const mayBring = new Set<string>();
  const revisited = new Set<string>();
  let toVisit = 0;
  if (steps.includes('website')) {
    const open = [...domains.keys()].filter((domain) => !free.has(domain) && !answered.has(domain));
    const hosts = [...sitesToVisit(found, open).keys()];
    const sites = await countSites(db, memory.sandbox, hosts);
    toVisit = hosts.length - sites.known.size;
    for (const domain of open) {
      const own = [...sitesToVisit(found, [domain]).keys()];
      if (own.every((host) => sites.found.has(host))) free.add(domain);
      if (own.some((host) => !sites.known.has(host))) revisited.add(domain);
      if (own.some((host) => !sites.known.has(host) || sites.found.has(host))) mayBring.add(domain);
    }
  }
  const unanswered = steps.includes('hunter') ? [...domains.keys()].filter((domain) => !free.has(domain)) : [];
  // A site that is visited again may then say something else.
  const settled = unanswered.filter((domain) => !revisited.has(domain));
  const refusing = await refusingSites(db, memory.sandbox, found, settled);
  const forHunter = unanswered.filter((domain) => !refusing.has(domain));
  const told = await remembered(db, memory, domainSearchOperation, forHunter);
  const toAsk = forHunter.filter((domain) => !told.has(domain));
  const [known, toLookUp] = [told.size, toAsk.length];
  for (const domain of toAsk) mayBring.add(domain);
  const { toVerify, verified } = steps.includes('verifier')
    ? await countToVerify(db, memory, { listId, leadIds, steps, found, mayBring, toAsk, told: [...told.values()] })
    : { toVerify: 0, verified: 0 };
  const lookUpMicros = steps.includes('hunter') ? domainSearchOperation.estimateMicros : 0;
  const verifyMicros = steps.includes('verifier') ? emailVerifyOperation.estimateMicros : 0;
  const toCome = leadIds || !asksHunter(steps) ? 0 : await leadsToCome(db, listId);
  const looksUpFirst = lookUpMicros > 0 && (toLookUp + toCome > 0 || verifyMicros === 0);
  return {
    leads,
    suppressed,
    withoutWebsite,
    onSharedHost,
    toLookUp,
    known,
    toVisit,
    foundFree: free.size,
    toVerify,
    verified,
    boundMicros: (toLookUp + toCome) * lookUpMicros + (toVerify + toCome) * verifyMicros,
    callMicros: looksUpFirst ? lookUpMicros : verifyMicros,
  };
}

type Verifying = {
  listId: string;
  leadIds: readonly string[] | undefined;
  steps: readonly EnrichmentStep[];
  found: LeadsByDomain;
  /** Domains whose result is not known yet, or that will bring an email again. */
  mayBring: ReadonlySet<string>;
  /** Domains that Hunter will be asked about. */
  toAsk: readonly string[];
  /** What Hunter has said about the others. */
  told: readonly DomainAnswer[];
};

/**
 * Counts the emails that may have to be verified:
 * - those that the leads have
 * - those that are known and will be written to them
 * - those that a step may still find: what open data has for leads without an email, and one more for the others of a site
 * - one of Hunter's for a domain where it may take the place of another
 * - none for a domain about which Hunter and its website had nothing to say
 */
async function countToVerify(
  db: Db | Tx,
  memory: Memory,
  { listId, leadIds, steps, found, mayBring, toAsk, told }: Verifying,
): Promise<{ toVerify: number; verified: number }> {
  const { leadsOf } = await emailsToVerify(db, listId, leadIds);
  const emails = new Set([...leadsOf.keys(), ...(await mayBeStored(db, told)).flatMap(toVerifyOf)]);
  const { known } = await countKnown(db, memory, emailVerifyOperation, [...emails]);
  const open = steps.includes('open')
    ? await leadsOfOpenEmails(db, memory, [...[...found.withoutEmail.values()].flat(), ...found.withoutSite])
    : new Set<string>();
  let toFind = found.withoutSite.filter((id) => open.has(id)).length;
  for (const [domain, ids] of found.withoutEmail) {
    const ofOpen = ids.filter((id) => open.has(id)).length;
    // Each site of a domain may have its own.
    const others = steps.includes('website') ? sitesToVisit(found, [domain]).size : 1;
    toFind += mayBring.has(domain) ? Math.min(ids.length, ofOpen + others) : ofOpen;
  }
  // Beside leads without an email, the same one is written to all of a domain.
  toFind += toAsk.filter((domain) => !found.withoutEmail.has(domain) && mayReplace(found, domain, steps)).length;
  const asked = [...leadsOf.keys()];
  const verified = (await countKnown(db, memory, emailVerifyOperation, asked)).known;
  const pending = verified > 0 ? await countPending(db, memory, asked) : 0;
  return { toVerify: emails.size - known + toFind, verified: verified - pending };
}

/** The answers without emails on the suppression list, where one of these would be chosen. Looking at every email would take long. */
async function mayBeStored(db: Db | Tx, told: readonly DomainAnswer[]): Promise<DomainAnswer[]> {
  const chosen = told.map((answer) => ({ answer, email: chooseEmail(answer.contacts)?.email ?? '' }));
  const held = await suppressedEmails(
    db,
    chosen.flatMap(({ email }) => email || []),
  );
  const parts = Map.groupBy(chosen, ({ email }) => held.has(email));
  const answersOf = (isHeld: boolean) => (parts.get(isHeld) ?? []).map(({ answer }) => answer);
  return [...answersOf(false), ...(await withoutSuppressedContacts(db, answersOf(true)))];
}

/** The email that a remembered answer brings, unless Hunter has verified it lately. It may be verified again a day before that runs out. */
function toVerifyOf({ contacts }: DomainAnswer): string[] {
  const email = chooseEmail(contacts);
  if (!email) return [];
  const isFresh =
    email.status !== null &&
    email.checkedOn !== null &&
    Date.parse(email.checkedOn) > Date.now() - (EMAIL_CHECK_DAYS - 1) * DAY_MS;
  return isFresh ? [] : [email.email.trim().toLowerCase()];
}

/** Whether Hunter's email may take the place of one that a lead of the domain has: never of one of a file, nor of what this run looks for. */
const mayReplace = (
  { withBought, withFound }: LeadsByDomain,
  domain: string,
  steps: readonly EnrichmentStep[],
): boolean => withBought.has(domain) || (!looksForFree(steps) && withFound.has(domain));

/** Which leads without an email open data has one for. */
async function leadsOfOpenEmails(
  db: Db | Tx,
  { userId, sandbox }: Memory,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const releases = ids.length > 0 ? await loadedReleases(db, sandbox) : [];
  if (releases.length === 0) return found;
  for (const chunk of chunks(ids, LEADS_AT_ONCE))
    for (const { leadId } of await findOpenEmails(db, userId, releases, chunk)) found.add(leadId);
  return found;
}

/** The leads with the websites that open data has for those without one: each may have to be asked about. */
async function withOpenSites(db: Db | Tx, { userId, sandbox }: Memory, given: LeadsByDomain): Promise<LeadsByDomain> {
  const releases = given.withoutSite.length > 0 ? await loadedReleases(db, sandbox) : [];
  if (releases.length === 0) return given;
  const sorted = structuredClone(given);
  for (const chunk of chunks(given.withoutSite, LEADS_AT_ONCE)) {
    const sites = await findOpenSites(db, userId, releases, chunk);
    // No one knows yet whether mail can come to the emails that are there.
    putAtSites(
      sorted,
      sites.map((one) => ({ ...one, email: undefined })),
    );
  }
  return sorted;
}

/** Counts the remembered emails that Hunter had no result for. */
async function countPending(db: Db | Tx, { userId, sandbox }: Memory, emails: readonly string[]): Promise<number> {
  const { rows } = await sql<{ pending: number }>`
    select count(*)::integer as pending from app.answers
    where user_id = ${userId} and provider = ${emailVerifyOperation.provider} and operation = ${emailVerifyOperation.name}
      and sandbox = ${sandbox} and subject = any(${emails}::text[]) and answer ->> 'status' = 'pending' and expires_at > now()
  `.execute(db);
  return rows[0]?.pending ?? 0;
}
