import type { DenialReason } from '#contract/access/precheck.ts';
import { networkOf } from '#db/values/ip-network.ts';
import { recordRefusal } from '#server/audit/record-refusal.ts';
import type { PublicCtx } from '#server/http/context.ts';
import { countRequest } from '#server/limits/count-requests.ts';

const HOUR_MS = 3_600_000;

/** How often access may be asked about, counted in the database for all processes. Refused questions count too. */
export const PRECHECK_LIMITS = {
  /** An office behind one address signs in together in the morning; a script tries thousands. */
  perIp: { bucket: 'access.precheck.ip.1h', hits: 120, windowMs: HOUR_MS },
  /**
   * For an address from one network: what strangers ask about it elsewhere must not keep its owner out.
   * Several times what someone needs who mistypes and asks again.
   */
  perAddress: { bucket: 'access.precheck.from.1h', hits: 30, windowMs: HOUR_MS },
} as const;

/**
 * Tells whether a link would be sent to this address. Limits are counted before anything is looked at.
 * @throws RATE_LIMITED
 */
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
