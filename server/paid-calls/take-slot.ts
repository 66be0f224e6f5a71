import { sql } from 'kysely';
import type { ProviderId } from '#contract/providers.ts';
import { pause } from '#server/pause.ts';
import type { PayContext } from './operation.ts';

type Limit = { calls: number; windowMs: number };

/** Calls that a key may make, across all processes. Below what the providers state, because a refused call is a lost one. */
export const SPACING: Readonly<Record<ProviderId, readonly Limit[]>> = {
  google_places: [{ calls: 5, windowMs: 1_000 }],
  hunter_io: [
    { calls: 10, windowMs: 1_000 },
    { calls: 400, windowMs: 60_000 },
  ],
  searchbug: [{ calls: 5, windowMs: 1_000 }],
};

/** Waits until the next call with this key may leave. */
export async function takeSlot({ deps, key, waits, signal }: PayContext, provider: ProviderId): Promise<void> {
  const limits = SPACING[provider];
  const { rows } = await sql<{ wait_ms: number }>`
    select app.take_slot(
      ${`${provider}:${key.fingerprint}`}, ${limits.map((limit) => limit.calls)}::integer[],
      ${limits.map((limit) => limit.windowMs)}::integer[]
    ) as wait_ms
  `.execute(deps.db);
  const waitMs = rows[0]?.wait_ms ?? 0;
  if (waitMs <= 0) return;
  const until = new Date(Date.now() + waitMs);
  await waits.during({ reason: 'limit', until }, () => pause(waitMs, signal));
}
