import type { leaveCallSheetEndpoint } from '#contract/calling/calls.ts';
import type { DataOf } from '#contract/endpoint.ts';
import type { Ctx } from '#server/http/context.ts';
import type { Input } from '#server/http/route.ts';
import { ownList } from '#server/runs/rows.ts';
import { releaseLease } from './leases.ts';

/**
 * Lets others have the lead that a sheet of one of the caller's lists shows.
 * @throws NOT_FOUND
 */
export async function leaveCallSheet(
  { deps, user }: Ctx,
  { query, body: { session } }: Input<typeof leaveCallSheetEndpoint>,
): Promise<DataOf<typeof leaveCallSheetEndpoint>> {
  await ownList(deps.db, user.userId, query.listId);
  return { left: await releaseLease(deps.db, { userId: user.userId, session }) };
}
