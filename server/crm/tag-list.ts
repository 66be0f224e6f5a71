import type { CrmTag } from '#contract/admin/crm.ts';
import type { CrmDesk } from './crm-desk.ts';

const MOST_WAIT_MS = 30_000;
/** However many tags there are: more than this is a CRM that goes round in circles. */
const MOST_PAGES = 1_000;
/** Pages in a row that bring nothing new before that is taken for the end. One may repeat another, or be empty. */
const MOST_STALE_PAGES = 10;
/** For how long later pages are cut from the load that the first page began. */
const FRESH_MS = 5 * 60_000;

/** All tags of the CRM, by name. The first page loads them again, later ones come from the same load. */
export type CrmTagList = { page(offset: number, limit: number): Promise<CrmTag[]> };

export function createCrmTagList(crm: CrmDesk): CrmTagList {
  let latest: { tags: Promise<CrmTag[]>; loading: boolean; at: number } | undefined;
  const load = () => {
    const begun = { tags: loadTags(crm), loading: true, at: Date.now() };
    latest = begun;
    begun.tags
      .catch(() => {
        if (latest === begun) latest = undefined;
      })
      .finally(() => {
        begun.loading = false;
      });
    return begun.tags;
  };
  return {
    async page(offset, limit) {
      const usable = latest && (latest.loading || (offset > 0 && Date.now() - latest.at < FRESH_MS));
      const tags = await (usable && latest ? latest.tags : load());
      return tags.slice(offset, offset + limit);
    },
  };
}

/** Follows the CRM's own paging until it ends, whatever its pages repeat. */
async function loadTags(crm: CrmDesk): Promise<CrmTag[]> {
  // Anyone who asked may go: others wait for the same load.
  const { signal } = new AbortController();
  const names = new Map<string, string>();
  const asked = new Set<string>();
  let pageToken: string | undefined;
  let stale = 0;
  for (let pages = 0; pages < MOST_PAGES && stale < MOST_STALE_PAGES; pages += 1) {
    const known = names.size;
    const current = pageToken;
    const page = await crm.ask((port, token) => port.tagPage(token, current, signal), {
      mostWaitMs: MOST_WAIT_MS,
      signal,
    });
    for (const { id, name } of page.tags) names.set(id, name);
    stale = names.size === known ? stale + 1 : 0;
    pageToken = page.nextPageToken;
    if (!pageToken || asked.has(pageToken)) break;
    asked.add(pageToken);
  }
  return [...names]
    .map(([tag_id, tag_name]) => ({ tag_id, tag_name }))
    .sort((a, b) => a.tag_name.localeCompare(b.tag_name) || a.tag_id.localeCompare(b.tag_id));
}
