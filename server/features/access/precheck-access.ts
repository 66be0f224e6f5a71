import type { DenialReason } from '#contract/auth.ts';
import { networkOf } from '#db/ip-network.ts';
import type { PublicCtx } from '#server/http/context.ts';
import { countRequest } from '#server/limits/count-requests.ts';
import { PRECHECK_LIMITS } from './limits.ts';

/** Tells whether a link would be sent to this address. Limits are counted before anything is looked at. Throws RATE_LIMITED. */
export async function precheckAccess(
  ctx: PublicCtx,
  { email }: { email: string },
): Promise<{ allow: boolean; reason: DenialReason | null }> {
  const network = networkOf(ctx.ip);
  await countRequest(ctx.deps, [PRECHECK_LIMITS.perIp, network], [PRECHECK_LIMITS.perAddress, `${email} ${network}`]);
  const decision = await ctx.deps.gate.decide(email);
  return decision.allow ? { allow: true, reason: null } : { allow: false, reason: decision.reason };
}
