import type { z } from 'zod/mini';
import type { DataOf } from '#contract/endpoint.ts';
import type { MeteredProvider, readMeterEndpoint } from '#contract/money/meters.ts';
import { MISSING_KEY, PROVIDER_CATALOGUE } from '#contract/providers.ts';
import type { Db } from '#db/connection/client.ts';
import type { Providers } from '#providers/registry.ts';
import { openApiKey } from '#server/api-keys/api-key.ts';
import type { Ctx } from '#server/http/context.ts';
import { AppError } from '#server/lib/app-error.ts';
import { compareMeter, type MeterKey } from '#server/provider-balances/compare-meter.ts';
import { readCredits } from '#server/provider-balances/note-credits.ts';
import { isUnderWay, keepReading, type Reading } from '#server/provider-balances/readings.ts';

/**
 * Asks a provider what its account has used, keeps the answer, and compares it with the ledger since the last one.
 * @throws MISSING_API_KEY, ProviderError
 * @throws CONFLICT while calls are under way, which the meter may have counted already.
 */
export async function readMeter(
  { deps, user, signal }: Ctx,
  { provider }: z.output<typeof readMeterEndpoint.body>,
): Promise<DataOf<typeof readMeterEndpoint>> {
  const stored = await openApiKey(deps, user.userId, provider);
  if (!stored) throw new AppError('MISSING_API_KEY', MISSING_KEY[provider]);
  const key = { userId: user.userId, provider, fingerprint: stored.fingerprint, sandbox: stored.sandbox };
  await refuseUnderWay(deps.db, key);
  const reading = await ask(deps.providers, provider, stored.apiKey, signal);
  // The answer may or may not include what was sent meanwhile.
  await refuseUnderWay(deps.db, key);
  await keepReading(deps.db, key, reading);
  const meter = await compareMeter(deps.db, key);
  if (!meter) throw new Error('A reading that was just stored is gone.');
  return { meter };
}

async function refuseUnderWay(db: Db, key: MeterKey): Promise<void> {
  if (await isUnderWay(db, key))
    throw new AppError(
      'CONFLICT',
      `Calls to ${PROVIDER_CATALOGUE[key.provider].name} are under way. Compare when they are done.`,
    );
}

async function ask(
  providers: Providers,
  provider: MeteredProvider,
  apiKey: string,
  signal: AbortSignal,
): Promise<Reading> {
  if (provider === 'hunter_io') return readCredits(providers.emailFinder(apiKey), signal);
  const { balanceMicros } = await providers.phoneScrubber(apiKey).testKey(signal);
  if (balanceMicros === undefined)
    throw new AppError('PROVIDER_UNREADABLE', 'SearchBug did not return the account balance. Try again later.');
  return { value: balanceMicros };
}
