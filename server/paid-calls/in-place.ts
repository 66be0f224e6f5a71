import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { ProviderId } from '#contract/providers.ts';
import { pause } from '#server/pause.ts';
import type { PayContext } from './operation.ts';

/** Requests that may be out with a key at the same time, in all runs and processes. */
export const IN_FLIGHT: Readonly<Partial<Record<ProviderId, number>>> = { searchbug: 3 };
/** Longer than any request takes, in ms: after this the place of a process that has died is free. */
const PLACE_MS = 60_000;
/** How often somebody who waits for a place asks, in ms. */
const POLL_MS = 100;

/**
 * Does `work`, which sends one request, while this key has a place for it. Waits for one as long as it takes; throws the signal's
 * reason meanwhile, and what `work` throws.
 */
export async function inPlace<T>(context: PayContext, provider: ProviderId, work: () => Promise<T>): Promise<T> {
  const atMost = IN_FLIGHT[provider];
  if (atMost === undefined) return work();
  const { deps, key, waits, signal } = context;
  const bucket = `${provider}:${key.fingerprint}`;
  const holder = randomUUID();
  const take = async () => {
    const { rows } = await sql<{ taken: boolean }>`
      select app.take_place(${bucket}, ${holder}::uuid, ${atMost}, ${PLACE_MS}) as taken
    `.execute(deps.db);
    return rows[0]?.taken ?? false;
  };
  if (!(await take()))
    await waits.during({ reason: 'limit' }, async () => {
      do await pause(POLL_MS, signal);
      while (!(await take()));
    });
  try {
    return await work();
  } finally {
    // A place that can not be given back frees itself; the answer that has come must not be lost for it.
    await sql`delete from app.calls_in_flight where bucket = ${bucket} and holder = ${holder}`
      .execute(deps.db)
      .catch((error: unknown) => deps.log.warn({ err: error }, 'a place was not given back'));
  }
}
