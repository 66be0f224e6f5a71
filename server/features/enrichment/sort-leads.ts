import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import { idsOf } from '#server/leads/ids-of.ts';
import { inParts } from '#server/leads/in-parts.ts';
import { FILE, FROM_FILE } from '#server/leads/origins/value-rights.ts';
import { IS_SUPPRESSED } from '#server/leads/suppressed.ts';
import { siteHost, websiteDomain } from '#server/websites/website-domain.ts';

/** A website: many firms give one below their domain to each of their agents, say. `without`: whether one of its leads has no email. */
export type Site = { website: string; ids: string[]; without: boolean };

/** A list's leads by the domain of their website. */
export type LeadsByDomain = {
  leads: number;
  /** How many are on the suppression list. They are in none of the others. */
  suppressed: number;
  withoutWebsite: number;
  onSharedHost: number;
  /** Ids of those that no one has noted as such so far. */
  newOnSharedHost: string[];
  /** Lead ids by registrable domain. */
  domains: Map<string, string[]>;
  /** By domain, the websites on it, by their hosts. Each has the address of its first lead. */
  sites: Map<string, Map<string, Site>>;
  /** Domains whose leads all have an email. */
  answered: Set<string>;
  /** Of those, the ones whose emails no provider was paid for: they came from a file, the website or open data. */
  foundFree: Set<string>;
  /** Hosts of sites with a lead that keeps a notice against taking addresses. */
  noticed: Set<string>;
  /** Domains of which some lead has an email that a provider was paid for. */
  withBought: Set<string>;
  /** Domains of which some lead has an email of its website or of open data. */
  withFound: Set<string>;
  /** Ids of leads without an email, by domain. */
  withoutEmail: Map<string, string[]>;
  /** Ids of leads without an email that have no website of their own. */
  withoutSite: string[];
};

/** Where the email of a lead came from. `found`: from its website or open data. */
type EmailOrigin = 'none' | 'bought' | 'found' | 'file';

type Row = {
  id: string;
  position: number;
  website: string | null;
  suppressed: boolean;
  email: EmailOrigin;
  noticed: boolean;
  visited: boolean;
};

/** Sorts the leads of a list by domain. `leadIds`: only these leads. */
export async function sortLeads(db: Db | Tx, listId: string, leadIds?: readonly string[]): Promise<LeadsByDomain> {
  const parts = inParts(async ({ behind, most }) => {
    const { rows } = await sql<Row>`
      select lead.id, lead.position, lead.website, ${IS_SUPPRESSED} as suppressed,
        case when lead.email is null then 'none' when not lead.sources ? 'email' then 'bought'
          when lead.sources ->> 'email' = ${FILE} or starts_with(lead.sources ->> 'email', ${FROM_FILE}) then 'file'
          else 'found' end as email,
        coalesce(lead.site_visit ? 'notice', false) as noticed, lead.site_visit is not null as visited
      from public.leads as lead
      where lead.list_id = ${listId} and ${leadIds ? sql`lead.id = any(${leadIds}::uuid[])` : sql`true`} and ${behind}
      order by lead.position limit ${most}
    `.execute(db);
    return rows;
  }, leadIds);
  const sorted: LeadsByDomain = {
    leads: 0,
    suppressed: 0,
    withoutWebsite: 0,
    onSharedHost: 0,
    newOnSharedHost: [],
    domains: new Map(),
    sites: new Map(),
    answered: new Set(),
    withBought: new Set(),
    withFound: new Set(),
    withoutEmail: new Map(),
    noticed: new Set(),
    foundFree: new Set(),
    withoutSite: [],
  };
  const add = ({ id, website, suppressed, email, noticed, visited }: Row): void => {
    sorted.leads += 1;
    if (suppressed) {
      sorted.suppressed += 1;
      return;
    }
    const found = websiteDomain(website);
    if (found.kind === 'none') sorted.withoutWebsite += 1;
    else if (found.kind === 'shared') {
      sorted.onSharedHost += 1;
      if (!visited) sorted.newOnSharedHost.push(id);
    }
    if (found.kind === 'own') addToDomain(sorted, found.domain, { id, website, email });
    else if (email === 'none') sorted.withoutSite.push(id);
    if (found.kind === 'own' && noticed) sorted.noticed.add(hostOf(found.domain, website));
  };
  for await (const rows of parts) rows.forEach(add);
  return sorted;
}

/** Adds a lead to those of a domain. */
export function addToDomain(
  sorted: LeadsByDomain,
  domain: string,
  { id, website, email }: { id: string; website: string | null; email: EmailOrigin },
): void {
  const others = idsOf(sorted.domains, domain);
  const isFirst = others.length === 0;
  others.push(id);
  const sites = sorted.sites.get(domain) ?? new Map<string, Site>();
  sorted.sites.set(domain, sites);
  const host = hostOf(domain, website);
  const site = sites.get(host) ?? { website: website ?? domain, ids: [], without: false };
  sites.set(host, site);
  site.ids.push(id);
  site.without ||= email === 'none';
  if (email === 'none') idsOf(sorted.withoutEmail, domain).push(id);
  if (email === 'bought') sorted.withBought.add(domain);
  if (email === 'found') sorted.withFound.add(domain);
  keepOnlyIf(sorted.answered, domain, email !== 'none', isFirst);
  keepOnlyIf(sorted.foundFree, domain, email === 'found' || email === 'file', isFirst);
}

const hostOf = (domain: string, website: string | null): string => siteHost(website ?? domain) ?? domain;

/** The sites of domains that have a lead without an email, by their hosts. */
export const sitesToVisit = ({ sites }: LeadsByDomain, domains: readonly string[]): Map<string, Site> =>
  new Map(domains.flatMap((domain) => [...(sites.get(domain) ?? [])].filter(([, { without }]) => without)));

/** A domain stays in a set only while all of its leads belong there. */
function keepOnlyIf(set: Set<string>, domain: string, belongs: boolean, isFirst: boolean): void {
  if (isFirst && belongs) set.add(domain);
  else if (!belongs) set.delete(domain);
}
