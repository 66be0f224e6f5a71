import type { z } from 'zod/mini';
import type { leadCallsEndpoint } from '#contract/calling/calls.ts';
import type { DataOf } from '#contract/endpoint.ts';
import type { Ctx } from '#server/http/context.ts';
import { ownLead } from './called-lead.ts';
import { callsTo } from './logged-call.ts';

/**
 * Calls to the number of one of the caller's leads.
 * @throws NOT_FOUND, and VALIDATION_FAILED for one without a number.
 */
export async function listLeadCalls(
  { deps: { db }, user }: Ctx,
  { id }: z.output<typeof leadCallsEndpoint.query>,
): Promise<DataOf<typeof leadCallsEndpoint>> {
  return { calls: await callsTo(db, user.userId, await ownLead(db, user.userId, id)) };
}
