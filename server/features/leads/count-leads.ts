import type { countLeadsEndpoint, LeadCounts } from '#contract/work/lead-counts.ts';

import { isCallableWithin, settleChoice } from '#server/calling/settle-choice.ts';
import type { Ctx } from '#server/http/context.ts';
import type { Input } from '#server/http/route.ts';
import { readLeadCounts } from '#server/leads/read-lead-counts.ts';
import { ownList } from '#server/runs/rows.ts';

/**
 * Counts the chosen leads of one of the caller's lists, and what they have.
 * @throws NOT_FOUND
 */
export async function countLeads(
  { deps: { db }, user }: Ctx,
  { query, body }: Input<typeof countLeadsEndpoint>,
): Promise<LeadCounts> {
  const list = await ownList(db, user.userId, query.listId);
  const { call_within: hours, ...wanted } = body;
  const choice = await settleChoice(db, list.id, wanted);
  const also = hours === undefined ? undefined : await isCallableWithin(db, list.id, choice, hours);
  return readLeadCounts(db, list.id, choice, also);
}
