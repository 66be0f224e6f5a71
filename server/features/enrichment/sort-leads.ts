import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import { websiteDomain } from './website-domain.ts';

/** A list's leads by the domain of their website. */
export type LeadsByDomain = {
  leads: number;
  withoutWebsite: number;
  onSharedHost: number;
  /** Lead ids by registrable domain. */
  domains: Map<string, string[]>;
};

/** `leadIds`: only these leads. */
export async function sortLeads(db: Db | Tx, listId: string, leadIds?: readonly string[]): Promise<LeadsByDomain> {
  let query = db.selectFrom('leads').select(['id', 'website']).where('list_id', '=', listId).orderBy('position');
  if (leadIds) query = query.where('id', 'in', leadIds);
  const rows = await query.execute();
  const sorted: LeadsByDomain = { leads: rows.length, withoutWebsite: 0, onSharedHost: 0, domains: new Map() };
  for (const { id, website } of rows) {
    const found = websiteDomain(website);
    if (found.kind === 'none') sorted.withoutWebsite += 1;
    else if (found.kind === 'shared') sorted.onSharedHost += 1;
    else sorted.domains.set(found.domain, [...(sorted.domains.get(found.domain) ?? []), id]);
  }
  return sorted;
}
