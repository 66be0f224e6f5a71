import type { z } from 'zod/mini';
import type { DataOf } from '#contract/endpoint.ts';
import type { listLeadsEndpoint } from '#contract/work/leads-of-list.ts';
import { LEADS_PAGE_SIZE } from '#contract/work/lists.ts';
import { settleFilter } from '#server/calling/settle-choice.ts';
import type { Ctx } from '#server/http/context.ts';
import { ownList } from '#server/runs/rows.ts';
import { readCallableFirst } from './read-callable-first.ts';
import { readLeadPage } from './read-lead-page.ts';

/** Some leads of one of the caller's lists. @throws NOT_FOUND, and VALIDATION_FAILED for a cursor that is none. */
export async function listLeads(
  { deps: { db }, user }: Ctx,
  { listId, sort, after, offset, limit, ...filter }: z.output<typeof listLeadsEndpoint.query>,
): Promise<DataOf<typeof listLeadsEndpoint>> {
  const list = await ownList(db, user.userId, listId);
  const page = { listId: list.id, after, offset, limit: limit ?? LEADS_PAGE_SIZE };
  if (sort?.startsWith('call.')) return readCallableFirst(db, { ...page, filter, descending: sort.endsWith('.desc') });
  return readLeadPage(db, { ...page, filter: await settleFilter(db, list.id, filter), sort });
}
