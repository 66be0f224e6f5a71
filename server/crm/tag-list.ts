import type { CrmTag } from '#contract/crm.ts';
import type { CrmDesk } from './crm-desk.ts';

const MOST_WAIT_MS = 30_000;
const MOST_PAGES = 100;
/** For how long later pages are cut from the load that the first page began. */
const FRESH_MS = 5 * 60_000;

/** All tags of the CRM, by name. The first page loads them anew, later ones come from the same load. */
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

/** Follows the CRM's own paging until it ends, or until a page brings nothing new. */
async function loadTags(crm: CrmDesk): Promise<CrmTag[]> {
  // Whoever asked may go: others wait for the same load.
  const { signal } = new AbortController();
  const names = new Map<string, string>();
  let pageToken: string | undefined;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const known = names.size;
    const asked = pageToken;
    const page = await crm.ask((port, token) => port.tagPage(token, asked, signal), {
      mostWaitMs: MOST_WAIT_MS,
      signal,
    });
    for (const { id, name } of page.tags) names.set(id, name);
    pageToken = page.nextPageToken;
    if (!pageToken || names.size === known) break;
  }
  return [...names]
    .map(([tag_id, tag_name]) => ({ tag_id, tag_name }))
    .sort((a, b) => a.tag_name.localeCompare(b.tag_name) || a.tag_id.localeCompare(b.tag_id));
}
