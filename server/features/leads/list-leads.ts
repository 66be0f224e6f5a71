import { sql } from 'kysely';
import type { z } from 'zod/mini';
import type { DataOf } from '#contract/endpoint.ts';
import type { listLeadsEndpoint } from '#contract/work/leads-of-list.ts';
import { LEADS_PAGE_SIZE } from '#contract/work/lists.ts';
import { judgeLeads } from '#server/calling/judge-leads.ts';
import { settleFilter } from '#server/calling/settle-choice.ts';
import { shownOf } from '#server/calling/shown-of.ts';
import { recordShownVerdicts } from '#server/evidence/record-shown-verdicts.ts';
import type { Ctx } from '#server/http/context.ts';
import { ownList } from '#server/runs/rows.ts';
import { readCallableFirst } from './read-callable-first.ts';
import { readLeadPage } from './read-lead-page.ts';

/**
 * Returns some leads of one of the caller's lists.
 * @throws NOT_FOUND
 * @throws VALIDATION_FAILED when the cursor is not valid.
 */
export async function listLeads(
  { deps, user }: Ctx,
  { listId, sort, after, offset, limit, ...filter }: z.output<typeof listLeadsEndpoint.query>,
): Promise<DataOf<typeof listLeadsEndpoint>> {
  const { db } = deps;
  const list = await ownList(db, user.userId, listId);
  const page = { listId: list.id, after, offset, limit: limit ?? LEADS_PAGE_SIZE };
  const about = { view: 'page', actor: user.userId, list: list.id, sandbox: list.sandbox ?? false } as const;
  if (sort?.startsWith('call.')) {
    const { at, shown, ...read } = await readCallableFirst(db, { ...page, filter, descending: sort.endsWith('.desc') });
    await recordShownVerdicts(deps, { ...about, at }, shown.map(shownOf));
    return read;
  }
  const at = Date.now();
  const read = await readLeadPage(db, {
    ...page,
    leads: list.lead_count,
    filter: await settleFilter(db, list.id, filter, at),
    sort,
  });
  if (filter.call) {
    const isShown = sql<boolean>`lead.id = any(${read.leads.map(({ id }) => id)}::uuid[])`;
    await recordShownVerdicts(deps, { ...about, at }, (await judgeLeads(db, isShown, at)).map(shownOf));
  }
  return read;
}
