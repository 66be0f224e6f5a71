import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import { idsOf } from '#server/leads/ids-of.ts';
import { inParts } from '#server/leads/in-parts.ts';
import { IS_SUPPRESSED } from '#server/leads/suppressed.ts';
import { websiteDomain } from '#server/websites/website-domain.ts';

/** A list's leads by the domain of their website. */
export type LeadsByDomain = {
  leads: number;
  /** How many are on the suppression list. They are in none of the others. */
  suppressed: number;
  withoutWebsite: number;
  onSharedHost: number;
  /** Lead ids by registrable domain. */
  domains: Map<string, string[]>;
  /** By domain, the website of its first lead. */
  websites: Map<string, string>;
  /** Domains whose leads all have an email. */
  answered: Set<string>;
  /** Of those, the ones whose emails no provider was paid for: they came from a file, the website or open data. */
  foundFree: Set<string>;
  /** Domains with a lead that keeps a notice against taking addresses. */
  noticed: Set<string>;
  /** Domains of which some lead has an email. */
  withEmail: Set<string>;
  /** Ids of leads without an email, by domain. */
  withoutEmail: Map<string, string[]>;
  /** Ids of leads without an email that have no website of their own. */
  withoutSite: string[];
};

type Row = {
  id: string;
  position: number;
  website: string | null;
  suppressed: boolean;
  has_email: boolean;
  free: boolean;
  noticed: boolean;
};

/** Sorts the leads of a list by domain. `leadIds`: only these leads. */
export async function sortLeads(db: Db | Tx, listId: string, leadIds?: readonly string[]): Promise<LeadsByDomain> {
  const parts = inParts(async ({ behind, most }) => {
    const { rows } = await sql<Row>`
      select lead.id, lead.position, lead.website, ${IS_SUPPRESSED} as suppressed, lead.email is not null as has_email,
        lead.email is not null and lead.sources ? 'email' as free,
        coalesce(lead.site_visit ? 'notice', false) as noticed
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
    domains: new Map(),
    websites: new Map(),
    answered: new Set(),
    withEmail: new Set(),
    withoutEmail: new Map(),
    noticed: new Set(),
    foundFree: new Set(),
    withoutSite: [],
  };
  const add = ({ id, website, suppressed, has_email: hasEmail, free, noticed }: Row): void => {
    sorted.leads += 1;
    if (suppressed) {
      sorted.suppressed += 1;
      return;
    }
    const found = websiteDomain(website);
    if (found.kind === 'none') sorted.withoutWebsite += 1;
    else if (found.kind === 'shared') sorted.onSharedHost += 1;
    if (found.kind === 'own') addToDomain(sorted, found.domain, { id, website, hasEmail, free });
    else if (!hasEmail) sorted.withoutSite.push(id);
    if (found.kind === 'own' && noticed) sorted.noticed.add(found.domain);
  };
  for await (const rows of parts) rows.forEach(add);
  return sorted;
}

/** Adds a lead to those of a domain. `free`: it has an email that no provider was paid for. */
export function addToDomain(
  sorted: LeadsByDomain,
  domain: string,
  { id, website, hasEmail, free }: { id: string; website: string | null; hasEmail: boolean; free: boolean },
): void {
  const others = idsOf(sorted.domains, domain);
  const isFirst = others.length === 0;
  if (isFirst && website !== null) sorted.websites.set(domain, website);
  others.push(id);
  if (hasEmail) sorted.withEmail.add(domain);
  else idsOf(sorted.withoutEmail, domain).push(id);
  keepOnlyIf(sorted.answered, domain, hasEmail, isFirst);
  keepOnlyIf(sorted.foundFree, domain, free, isFirst);
}

/** A domain stays in a set only while all of its leads belong there. */
function keepOnlyIf(set: Set<string>, domain: string, belongs: boolean, isFirst: boolean): void {
  if (isFirst && belongs) set.add(domain);
  else if (!belongs) set.delete(domain);
}
