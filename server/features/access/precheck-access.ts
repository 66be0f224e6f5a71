import type { DenialReason } from '#contract/access/precheck.ts';
import { networkOf } from '#db/values/ip-network.ts';
import { recordRefusal } from '#server/audit/record-refusal.ts';
import type { PublicCtx } from '#server/http/context.ts';
import { countRequest } from '#server/limits/count-requests.ts';
import { PRECHECK_LIMITS } from './precheck-limits.ts';

/** Tells whether a link would be sent to this address. Limits are counted before anything is looked at. Throws RATE_LIMITED. */
export async function precheckAccess(
  ctx: PublicCtx,
  { email }: { email: string },
): Promise<{ allow: boolean; reason: DenialReason | null }> {
  const network = networkOf(ctx.ip);
  await countRequest(ctx.deps, [PRECHECK_LIMITS.perIp, network], [PRECHECK_LIMITS.perAddress, `${email} ${network}`]);
  const decision = await ctx.deps.gate.decide(email);
  if (decision.allow) return { allow: true, reason: null };
  const { reason } = decision;
  await recordRefusal(ctx.deps.db, ctx.deps.vault, ctx, { email, reason, at: 'precheck' });
  return { allow: false, reason };
}
