import { CRM_TAGS_PAGE_SIZE, type CrmTag } from '#contract/admin/crm.ts';
import type { CrmTagList } from '#server/crm/tag-list.ts';

const LARGEST_PAGE = 1000;

/** One page of the CRM's tags; a page with fewer than `limit` is the last one. */
export async function listTags(
  tagList: CrmTagList,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ items: CrmTag[] }> {
  const size = Math.min(Math.floor(limit) || CRM_TAGS_PAGE_SIZE, LARGEST_PAGE);
  return { items: await tagList.page(Math.floor(offset), size) };
}
