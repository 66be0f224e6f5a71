import type { Count, Counter } from '#db/limits/count-hits.ts';
import { counterOf, countRequests, inWords, retryAfterSeconds } from '#db/limits/count-requests.ts';
import type { Vault } from '#db/sealed/vault.ts';
import { networkOf } from '#db/values/ip-network.ts';
import { AuthError } from './auth-error.ts';
import type { Limit, LimitCode } from './limits.ts';
import type { AuthOptions } from './options.ts';

/** The source of an attempt: the IP of the request, and the (normalized) address that it concerns. */
export type Trier = { ip: string; email: string };

/** A try too many, and how long until the next one counts as one of a new window. */
type Excess = { code: LimitCode; resetsInMs: number };

/**
 * Counts one try under each of `limits`, in one statement. What is counted by email address needs `email`.
 * @throws AuthError 429 with `Retry-After` when it is one too many for any of them.
 */
export async function countTry(...counted: Parameters<typeof countTries>): Promise<void> {
  const excess = await countTries(...counted);
  if (excess) throw tooMany(excess);
}

/** The same, and returns the longest excess instead of throwing. */
export async function countTries(
  context: Pick<AuthOptions, 'db' | 'vault'>,
  limits: readonly Limit[],
  trier: Pick<Trier, 'ip'> & Partial<Trier>,
): Promise<Excess | undefined> {
  const excess = await countRequests(
    context,
    limits.map((limit) => [limit, subjectOf(limit, trier)] as const),
  );
  return excess && { code: excess.limit.code, resetsInMs: excess.resetsInMs };
}

/** Where tries under a limit are counted, for those who count in a statement of their own and judge by `refuseExcess`. */
export const triesOf = (vault: Vault, limit: Limit, trier: Partial<Trier>): Counter =>
  counterOf(vault, limit, subjectOf(limit, trier));

/** @throws AuthError 429 as `countTry` does, for a limit that spares no one. */
export function refuseExcess(limit: Limit, count: Count): void {
  if (count.hits > limit.hits) throw tooMany({ code: limit.code, resetsInMs: count.resetsInMs });
}

function subjectOf({ per }: Limit, { ip, email = '' }: Partial<Trier>): string {
  const network = networkOf(ip ?? '');
  if (per === 'network') return network;
  return per === 'address' ? email : `${email} ${network}`;
}

/** The refusal of what is too much. `why`: a sentence in place of the usual one. */
export function tooMany({ code, resetsInMs }: Excess, why: string = refusals[code]): AuthError {
  const seconds = retryAfterSeconds(resetsInMs);
  return new AuthError(429, code, `${why} Please try again in ${inWords(seconds)}.`, {
    'Retry-After': String(seconds),
  });
}

const refusals = {
  over_email_send_rate_limit: 'Too many emails were requested.',
  over_sms_send_rate_limit: 'Too many text messages were requested.',
  over_request_rate_limit: 'Too many attempts.',
} satisfies Record<LimitCode, string>;
