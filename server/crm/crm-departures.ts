import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import type { Vault } from '#db/sealed/vault.ts';
import { pause } from '#server/lib/pause.ts';
import { askedTooOften } from './crm-errors.ts';

/** Keap's strictest stated limit is 5 a second; a refused call is a lost one. Counted across all processes. */
const CALLS = 4;
const WINDOW_MS = 1_000;

/**
 * Waits until the next call may leave.
 * @throws PROVIDER_RATE_LIMITED at once when that takes longer than `mostWaitMs`.
 */
export async function awaitCrmDeparture(
  { db, vault }: { db: Db; vault: Vault },
  clientId: string,
  { mostWaitMs, signal }: { mostWaitMs: number; signal: AbortSignal },
): Promise<void> {
  const { rows } = await sql<{ wait_ms: number | null }>`
    select app.try_slot(${`keap:${vault.fingerprint(clientId)}`}, ${[CALLS]}::integer[], ${[WINDOW_MS]}::integer[], ${mostWaitMs})
      as wait_ms
  `.execute(db);
  const waitMs = rows[0]?.wait_ms ?? null;
  if (waitMs === null) throw askedTooOften();
  if (waitMs > 0) await pause(waitMs, signal);
}
