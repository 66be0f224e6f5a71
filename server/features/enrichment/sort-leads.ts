import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import { idsOf } from '#server/leads/ids-of.ts';
import { IS_SUPPRESSED } from '#server/leads/suppressed.ts';
import { websiteDomain } from '#server/websites/website-domain.ts';

/** A list's leads by the domain of their website. */
export type LeadsByDomain = {
  leads: number;
  /** On the suppression list. They stand in none of the others. */
  suppressed: number;
  withoutWebsite: number;
  onSharedHost: number;
  /** Lead ids by registrable domain. */
  domains: Map<string, string[]>;
  /** By domain, the website of its first lead. */
  websites: Map<string, string>;
  /** Domains whose leads all have an email. */
  answered: Set<string>;
  /** Of those, the ones whose emails no provider was paid for: they stand in a file, on the website, or in open data. */
  foundFree: Set<string>;
};

/** `leadIds`: only these leads. */
export async function sortLeads(db: Db | Tx, listId: string, leadIds?: readonly string[]): Promise<LeadsByDomain> {
  const { rows } = await sql<{
    id: string;
    website: string | null;
    suppressed: boolean;
    has_email: boolean;
    free: boolean;
  }>`
    select lead.id, lead.website, ${IS_SUPPRESSED} as suppressed, lead.email is not null as has_email,
      lead.email is not null and lead.sources ? 'email' as free
    from public.leads as lead
    where lead.list_id = ${listId} and ${leadIds ? sql`lead.id = any(${leadIds}::uuid[])` : sql`true`}
    order by lead.position
  `.execute(db);
  const sorted: LeadsByDomain = {
    leads: rows.length,
    suppressed: 0,
    withoutWebsite: 0,
    onSharedHost: 0,
    domains: new Map(),
    websites: new Map(),
    answered: new Set(),
    foundFree: new Set(),
  };
  for (const { id, website, suppressed, has_email, free } of rows) {
    if (suppressed) {
      sorted.suppressed += 1;
      continue;
    }
    const found = websiteDomain(website);
    if (found.kind === 'none') sorted.withoutWebsite += 1;
    else if (found.kind === 'shared') sorted.onSharedHost += 1;
    else {
      const { domain } = found;
      const others = idsOf(sorted.domains, domain);
      const isFirst = others.length === 0;
      if (isFirst && website !== null) sorted.websites.set(domain, website);
      others.push(id);
      keepOnlyIf(sorted.answered, domain, has_email, isFirst);
      keepOnlyIf(sorted.foundFree, domain, free, isFirst);
    }
  }
  return sorted;
}

/** A domain stays in a set only while all of its leads belong there. */
function keepOnlyIf(set: Set<string>, domain: string, belongs: boolean, isFirst: boolean): void {
  if (isFirst && belongs) set.add(domain);
  else if (!belongs) set.delete(domain);
}
