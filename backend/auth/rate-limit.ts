import { sql } from 'kysely';
import { type Count, type Counter, countHits } from '#db/count-hits.ts';
import { networkOf } from '#db/ip-network.ts';
import type { Vault } from '#db/vault.ts';
import { AuthError } from './auth-error.ts';
import type { Limit, LimitCode } from './limits.ts';
import type { AuthOptions } from './options.ts';

/** Who tries something: the IP of the request, and the (normalised) address it is about. */
export type Trier = { ip: string; email: string };

/**
 * Counts one try under each of `limits`, in one statement. Throws 429 with `Retry-After` when it is one too many for any of them.
 * What is counted by e-mail address needs `email`.
 */
export async function countTry(
  context: Pick<AuthOptions, 'db' | 'vault'>,
  limits: readonly Limit[],
  trier: Pick<Trier, 'ip'> & Partial<Trier>,
): Promise<void> {
  const counts = await countHits(
    context.db,
    limits.map((limit) => counterOf(context.vault, limit, trier)),
  );
  for (const [index, limit] of limits.entries()) {
    const count = counts[index];
    if (!count || count.hits <= limit.hits) continue;
    if (limit.spares === 'known networks' && (await isKnownNetwork(context, trier))) continue;
    throw tooMany(limit.code, count.resetsInMs);
  }
}

/** Where tries under a limit are counted, for those who count in a statement of their own and judge by `refuseExcess`. */
export function counterOf(vault: Vault, limit: Limit, trier: Partial<Trier>): Counter {
  return { bucket: `${limit.bucket}:${vault.fingerprint(subjectOf(limit, trier))}`, windowMs: limit.windowMs };
}

/** Throws 429 as `countTry` does, for a limit that spares nobody. */
export function refuseExcess(limit: Limit, count: Count): void {
  if (count.hits > limit.hits) throw tooMany(limit.code, count.resetsInMs);
}

/** Stored as a fingerprint only. */
function subjectOf({ per }: Limit, { ip, email = '' }: Partial<Trier>): string {
  const network = networkOf(ip ?? '');
  if (per === 'network') return network;
  return per === 'address' ? email : `${email} ${network}`;
}

/** Whether the person of the address is signed in from that network: then it is hardly a stranger who asks. */
async function isKnownNetwork({ db }: Pick<AuthOptions, 'db'>, { ip, email }: Partial<Trier>): Promise<boolean> {
  if (!ip || !email) return false;
  const rows = await db
    .selectFrom('auth.sessions as session')
    .innerJoin('auth.users as user', 'user.id', 'session.user_id')
    .select(sql<string>`host(session.ip)`.as('ip'))
    .where('user.email', '=', email)
    .where('session.ip', 'is not', null)
    .execute();
  return rows.some((row) => networkOf(row.ip) === networkOf(ip));
}

function tooMany(code: LimitCode, resetsInMs: number): AuthError {
  const seconds = Math.max(1, Math.ceil(resetsInMs / 1000));
  return new AuthError(429, code, `${refusals[code]} Please try again in ${inWords(seconds)}.`, {
    'Retry-After': String(seconds),
  });
}

const refusals = {
  over_email_send_rate_limit: 'Too many emails were asked for.',
  over_sms_send_rate_limit: 'Too many text messages were asked for.',
  over_request_rate_limit: 'Too many attempts.',
} satisfies Record<LimitCode, string>;

function inWords(seconds: number): string {
  if (seconds < 120) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
