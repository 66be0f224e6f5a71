import { sql } from 'kysely';
import type { z } from 'zod/mini';
import type { DataOf } from '#contract/endpoint.ts';
import type { readMeter as endpoint, MeteredProvider } from '#contract/meters.ts';
import { PROVIDER_CATALOGUE } from '#contract/providers.ts';
import type { Db } from '#db/client.ts';
import type { Providers } from '#providers/registry.ts';
import { AppError } from '#server/http/app-error.ts';
import type { Ctx } from '#server/http/context.ts';
import { openProviderKey } from '#server/provider-keys/provider-key.ts';
import { MISSING_KEY } from '#server/runs/missing-key.ts';
import { compareMeter } from './compare-meter.ts';

/**
 * Asks a provider what its account has used, keeps the answer, and compares it with the ledger since the one before. Throws
 * MISSING_API_KEY, CONFLICT while calls are under way, which the meter may have counted already, and ProviderError.
 */
export async function readMeter(
  { deps, user, signal }: Ctx,
  { provider }: z.output<typeof endpoint.body>,
): Promise<DataOf<typeof endpoint>> {
  const stored = await openProviderKey(deps, user.userId, provider);
  if (!stored) throw new AppError('MISSING_API_KEY', MISSING_KEY[provider]);
  const key = { userId: user.userId, provider, fingerprint: stored.fingerprint, sandbox: stored.sandbox };
  await refuseUnderWay(deps.db, user.userId, provider);
  const { value, period } = await ask(deps.providers, provider, stored.apiKey, signal);
  // What was sent meanwhile may stand in the answer or not.
  await refuseUnderWay(deps.db, user.userId, provider);
  await deps.db
    .insertInto('app.meter_readings')
    .values({
      ...{ user_id: key.userId, provider, fingerprint: key.fingerprint, sandbox: key.sandbox },
      ...{ value, period: period ?? null },
    })
    .execute();
  const meter = await compareMeter(deps.db, key);
  if (!meter) throw new Error('A reading that was just stored is gone.');
  return { meter };
}

async function refuseUnderWay(db: Db, userId: string, provider: MeteredProvider): Promise<void> {
  const { rows } = await sql`
    select from app.paid_calls where user_id = ${userId} and provider = ${provider} and state = 'sent' limit 1
  `.execute(db);
  if (rows.length > 0)
    throw new AppError(
      'CONFLICT',
      `Calls to ${PROVIDER_CATALOGUE[provider].name} are under way. Compare once they have ended.`,
    );
}

type Reading = { value: number; period?: string };

async function ask(
  providers: Providers,
  provider: MeteredProvider,
  apiKey: string,
  signal: AbortSignal,
): Promise<Reading> {
  if (provider === 'hunter_io') {
    const { usedCredits, resetsOn } = await providers.emailFinder(apiKey).readMeter(signal);
    return { value: Math.round(usedCredits * 1_000_000), ...(resetsOn ? { period: resetsOn } : {}) };
  }
  const { balanceMicros } = await providers.phoneScrubber(apiKey).testKey(signal);
  if (balanceMicros === undefined)
    throw new AppError('PROVIDER_UNREADABLE', 'SearchBug did not say what is left on the account. Try again later.');
  return { value: balanceMicros };
}
