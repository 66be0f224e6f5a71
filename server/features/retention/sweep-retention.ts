import type { DataOf } from '#contract/endpoint.ts';
import type { sweepRetentionEndpoint } from '#contract/work/retention.ts';
import type { Ctx } from '#server/http/context.ts';
import { sweepLists } from './sweep-lists.ts';

/** Sweeps the caller's lists. Anyone who calls is here and sees what their lists say; only dates that were mailed are waited for. */
export function sweepRetention({ deps, user, signal }: Ctx): Promise<DataOf<typeof sweepRetentionEndpoint>> {
  return sweepLists(deps.db, { userId: user.userId, announcedOnly: false, signal });
}
