import type { z } from 'zod/mini';
import type { DataOf } from '#contract/endpoint.ts';
import type { leadOriginsEndpoint } from '#contract/work/open-origins.ts';
import type { Ctx } from '#server/http/context.ts';
import { originsOfLeads } from '#server/leads/origins/open-origins.ts';
import { ownList } from '#server/runs/rows.ts';

/**
 * Returns which open data brought some leads of one of the caller's lists.
 * @throws NOT_FOUND for the list; unknown leads, and those from elsewhere, are left out.
 */
export async function readLeadOrigins(
  { deps: { db }, user }: Ctx,
  { listId, ids }: z.output<typeof leadOriginsEndpoint.query>,
): Promise<DataOf<typeof leadOriginsEndpoint>> {
  const list = await ownList(db, user.userId, listId);
  const origins = await originsOfLeads(db, list.id, ids.split(','));
  return { leads: [...origins].map(([id, origin]) => ({ ...origin, id })) };
}
