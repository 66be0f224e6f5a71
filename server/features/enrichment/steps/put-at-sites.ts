import { addToDomain, type LeadsByDomain } from '#server/features/enrichment/sort-leads.ts';
import { websiteDomain } from '#server/websites/website-domain.ts';

/**
 * Puts leads that had no website of their own among those of the domains of the websites that were found for them.
 * Returns the domains that got a lead without an email by that.
 */
export function putAtSites(
  sorted: LeadsByDomain,
  found: readonly { leadId: string; website: string | undefined; email: string | undefined }[],
): Set<string> {
  const placed = new Set<string>();
  const without = new Set<string>();
  for (const { leadId: id, website, email } of found) {
    const site = websiteDomain(website ?? null);
    if (website === undefined || site.kind !== 'own') continue;
    placed.add(id);
    if (email === undefined) without.add(site.domain);
    addToDomain(sorted, site.domain, { id, website, email: email === undefined ? 'none' : 'found' });
  }
  sorted.withoutSite = sorted.withoutSite.filter((id) => !placed.has(id));
  return without;
}
