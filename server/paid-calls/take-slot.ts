import { sql } from 'kysely';
import type { ProviderId } from '#contract/providers.ts';
import type { Db } from '#db/client.ts';
import { pause } from '#server/pause.ts';
import type { PayContext } from './operation.ts';

export type Limit = { calls: number; windowMs: number };

/** Calls that a key may make, across all processes. Below what the providers state, because a refused call is a lost one. */
export const SPACING: Readonly<Record<ProviderId, readonly Limit[]>> = {
  google_places: [{ calls: 5, windowMs: 1_000 }],
  hunter_io: [
    { calls: 10, windowMs: 1_000 },
    { calls: 400, windowMs: 60_000 },
  ],
  searchbug: [{ calls: 5, windowMs: 1_000 }],
};

/** Waits until the next call with this key may leave, and says so on the run. */
export async function takeSlot({ waits, ...caller }: PayContext, provider: ProviderId): Promise<void> {
  const waitMs = await grantSlot(caller, provider);
  if (waitMs <= 0) return;
  const until = new Date(Date.now() + waitMs);
  await waits.during({ reason: 'limit', until }, () => pause(waitMs, caller.signal));
}

/** Takes the next departure with this key; answers the ms until then. */
export const grantSlot = (
  { deps, key }: { deps: Pick<PayContext['deps'], 'db'>; key: Pick<PayContext['key'], 'fingerprint'> },
  provider: ProviderId,
): Promise<number> => grantUnder(deps.db, `${provider}:${key.fingerprint}`, SPACING[provider]);

/** The same for whatever is counted as `bucket`, under any limits. */
export async function grantUnder(db: Db, bucket: string, limits: readonly Limit[]): Promise<number> {
  const { rows } = await sql<{ wait_ms: number }>`
    select app.take_slot(
      ${bucket}, ${limits.map((limit) => limit.calls)}::integer[], ${limits.map((limit) => limit.windowMs)}::integer[]
    ) as wait_ms
  `.execute(db);
  return rows[0]?.wait_ms ?? 0;
}
