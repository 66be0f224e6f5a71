import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { ProviderId } from '#contract/providers.ts';
import { asyncCommit } from '#db/connection/async-commit.ts';
import { KEPT } from '#db/connection/kept-statements.ts';
import { pause } from '#server/lib/pause.ts';
import type { PayContext } from '#server/paid-calls/operation.ts';
import { bucketOf } from './bucket-of.ts';

/** Requests that may be out with a key at the same time, in all runs and processes. */
export const IN_FLIGHT: Readonly<Partial<Record<ProviderId, number>>> = { searchbug: 3 };
/** Longer than any request takes, in ms. After this the slot of a dead process is free. */
export const SLOT_MS = 60_000;
/** How often a call that waits for a slot looks for one, in ms. */
const POLL_MS = 100;

/**
 * Does `work`, which sends one request, in a slot of this key. Waits for a slot as long as it takes.
 * - `take`: returns whether the holder got a slot.
 * @throws what `work` throws, and the signal's reason while it waits.
 */
export async function inKeySlot<T>(
  context: PayContext,
  provider: ProviderId,
  take: (holder: string) => Promise<boolean>,
  work: () => Promise<T>,
): Promise<T> {
  if (IN_FLIGHT[provider] === undefined) return work();
  const { waits, signal } = context;
  const holder = randomUUID();
  if (!(await take(holder)))
    await waits.during({ reason: 'limit' }, async () => {
      do await pause(POLL_MS, signal);
      while (!(await take(holder)));
    });
  return inTakenSlot(context, provider, holder, work);
}

/** Does the same in a slot that `holder` already has. */
export async function inTakenSlot<T>(
  context: Caller,
  provider: ProviderId,
  holder: string,
  work: () => Promise<T>,
): Promise<T> {
  if (IN_FLIGHT[provider] === undefined) return work();
  try {
    return await work();
  } finally {
    // An answer that has come is stored meanwhile.
    void giveBack(context, provider, holder);
  }
}

type Caller = Pick<PayContext, 'deps' | 'key'>;

/** Takes a slot for each holder while there are some. Returns for each whether it has one. */
export async function takeKeySlots(
  { deps, key }: Caller,
  provider: ProviderId,
  holders: readonly string[],
): Promise<boolean[]> {
  const { rows } = await sql<{ taken: boolean }>`
    select app.take_place(${bucketOf(key, provider)}, holder, ${IN_FLIGHT[provider] ?? 0}, ${SLOT_MS}) as taken
    from unnest(${holders}::uuid[]) as holder
  `.execute(deps.db);
  return rows.map((row) => row.taken);
}

/** Gives a slot back. If that fails, the slot frees itself and nothing else fails. */
async function giveBack({ deps, key }: Caller, provider: ProviderId, holder: string): Promise<void> {
  await sql`${KEPT} delete from app.calls_in_flight where bucket = ${bucketOf(key, provider)} and holder = ${holder} and ${asyncCommit}`
    .execute(deps.db)
    .catch((error: unknown) => deps.log.warn({ err: error }, 'a slot was not released'));
}
