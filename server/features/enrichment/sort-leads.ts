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
};

/** `leadIds`: only these leads. */
export async function sortLeads(db: Db | Tx, listId: string, leadIds?: readonly string[]): Promise<LeadsByDomain> {
  const { rows } = await sql<{ id: string; website: string | null; suppressed: boolean }>`
    select lead.id, lead.website, ${IS_SUPPRESSED} as suppressed from public.leads as lead
    where lead.list_id = ${listId} and ${leadIds ? sql`lead.id = any(${leadIds}::uuid[])` : sql`true`}
    order by lead.position
  `.execute(db);
  const sorted: LeadsByDomain = {
    leads: rows.length,
    suppressed: 0,
    withoutWebsite: 0,
    onSharedHost: 0,
    domains: new Map(),
  };
  for (const { id, website, suppressed } of rows) {
    if (suppressed) {
      sorted.suppressed += 1;
      continue;
    }
    const found = websiteDomain(website);
    if (found.kind === 'none') sorted.withoutWebsite += 1;
    else if (found.kind === 'shared') sorted.onSharedHost += 1;
    else idsOf(sorted.domains, found.domain).push(id);
  }
  return sorted;
}
