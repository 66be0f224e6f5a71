import { sql } from 'kysely';
import type { ProviderId } from '#contract/providers.ts';
import type { Db } from '#db/connection/client.ts';
import { KEPT } from '#db/connection/kept-statements.ts';
import { pause } from '#server/lib/pause.ts';
import type { PayContext } from '#server/paid-calls/operation.ts';
import { bucketOf } from './bucket-of.ts';

export type Limit = { calls: number; windowMs: number };

/** Calls that a key may make, across all processes. Below the limits that providers state, because a refused call is lost. */
export const SPACING: Readonly<Record<ProviderId, readonly Limit[]>> = {
  google_places: [{ calls: 5, windowMs: 1_000 }],
  hunter_io: [
    { calls: 10, windowMs: 1_000 },
    { calls: 400, windowMs: 60_000 },
  ],
  searchbug: [{ calls: 5, windowMs: 1_000 }],
};

/** Waits until the next call with this key may leave, and says so on the run. `grant`: how its departure is taken. */
export async function awaitDeparture(
  { waits, ...caller }: PayContext,
  provider: ProviderId,
  grant: () => Promise<number> = () => takeDeparture(caller, provider),
): Promise<void> {
  const waitMs = await grant();
  if (waitMs <= 0) return;
  const until = new Date(Date.now() + waitMs);
  await waits.during({ reason: 'limit', until }, () => pause(waitMs, caller.signal));
}

type Caller = { deps: Pick<PayContext['deps'], 'db'>; key: Pick<PayContext['key'], 'fingerprint'> };

/** Takes the next departure with this key. Returns the ms until then. */
export async function takeDeparture(caller: Caller, provider: ProviderId): Promise<number> {
  const [waitMs = 0] = await takeDepartures(caller, provider, 1);
  return waitMs;
}

/** Takes the next `count` departures with this key, the earliest first. Returns the ms until each. */
export const takeDepartures = ({ deps, key }: Caller, provider: ProviderId, count: number): Promise<number[]> =>
  takeDeparturesUnder(deps.db, bucketOf(key, provider), SPACING[provider], count);

/** The same for whatever is counted as `bucket`, under any limits. */
export async function takeDeparturesUnder(
  db: Db,
  bucket: string,
  limits: readonly Limit[],
  count: number,
): Promise<number[]> {
  const { rows } = await sql<{ wait_ms: number }>`
    ${KEPT} select app.take_slot(
      ${bucket}, ${limits.map((limit) => limit.calls)}::integer[], ${limits.map((limit) => limit.windowMs)}::integer[]
    ) as wait_ms from generate_series(1, ${count}::integer)
  `.execute(db);
  return rows.map((row) => row.wait_ms);
}
