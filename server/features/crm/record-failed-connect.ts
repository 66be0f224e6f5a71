import type { CrmConnectFailure } from '#contract/admin/crm.ts';
import { networkOf } from '#db/values/ip-network.ts';
import { type BoundedKind, writeBounded } from '#server/audit/write-bounded.ts';
import type { CurrentUser, PublicCtx } from '#server/http/context.ts';

const FAILURES: BoundedKind = { bucket: 'audit.crm_failed', overflow: 'crm.failures_unrecorded' };

/** Writes to the audit log that someone came back from the CRM, or made as if, and nothing was connected. `user`: if known. */
export function recordFailedConnect(
  ctx: PublicCtx,
  user: CurrentUser | undefined,
  reason: CrmConnectFailure,
): Promise<void> {
  const { db, vault } = ctx.deps;
  const { ip, requestId } = ctx;
  const source = user ? { ip, requestId, user } : { ip, requestId };
  return writeBounded(db, vault, source, FAILURES, `${reason}:${user?.userId ?? networkOf(ip)}`, {
    action: 'crm.connect_failed',
    target: 'keap',
    details: { reason },
  });
}
