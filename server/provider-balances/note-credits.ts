import { sql } from 'kysely';
import type { EmailFinder } from '#providers/provider.ts';
import type { PayContext } from '#server/paid-calls/operation.ts';
import { isUnderWay, noteReading, type Reading } from './readings.ts';

/**
 * Asks Hunter how many credits the account has used, which is free.
 * @throws ProviderError
 */
export async function readCredits(finder: EmailFinder, signal: AbortSignal): Promise<Reading> {
  const { usedCredits, resetsOn } = await finder.readMeter(signal);
  return { value: Math.round(usedCredits * 1_000_000), ...(resetsOn ? { period: resetsOn } : {}) };
}

/**
 * After a run, once a day at most, and not while calls are out: keeps what Hunter has counted.
 * @throws ProviderError
 */
export async function noteCredits({ deps, run, key, signal }: PayContext): Promise<void> {
  const meter = {
    userId: run.userId,
    provider: 'hunter_io' as const,
    fingerprint: key.fingerprint,
    sandbox: key.sandbox,
  };
  const { rows } = await sql`
    select from app.meter_readings
    where user_id = ${run.userId} and provider = 'hunter_io' and fingerprint = ${key.fingerprint}
      and read_at > now() - interval '1 day' limit 1
  `.execute(deps.db);
  if (rows.length > 0 || (await isUnderWay(deps.db, meter))) return;
  const reading = await readCredits(deps.providers.emailFinder(key.apiKey), signal);
  // What was sent meanwhile may stand in the answer or not.
  if (!(await isUnderWay(deps.db, meter))) await noteReading(deps.db, meter, reading);
}
