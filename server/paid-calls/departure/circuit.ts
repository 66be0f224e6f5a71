import { sql } from 'kysely';
import { ProviderError, type ProviderId, providerNames } from '#providers/provider.ts';
import { pause } from '#server/lib/pause.ts';
import type { PayContext } from '#server/paid-calls/operation.ts';
import { bucketOf } from './bucket-of.ts';

/** The longest that a call waits for a provider that does not answer, in ms. */
export const PATIENCE: Readonly<{ ms: number }> = { ms: 60_000 };
/** How often a waiting call checks whether others have got an answer meanwhile, in ms. */
const POLL_MS = 1_000;

/**
 * Asks for `count` calls in turn whether they may be tried. Returns for each null, or when to ask again.
 * While the provider does not answer, one call at a time may.
 */
export async function askCircuit(
  context: Pick<PayContext, 'deps' | 'key'>,
  provider: ProviderId,
  count: number,
): Promise<(Date | null)[]> {
  const { rows } = await sql<{ next_try: Date | null }>`
    select app.ask_circuit(${bucketOf(context.key, provider)}) as next_try from generate_series(1, ${count}::integer)
  `.execute(context.deps.db);
  return rows.map((row) => row.next_try);
}

/**
 * Returns when a call with this key may be tried: at once, unless the provider does not answer and another call tries it.
 * - `ask`: asks for this one call as `askCircuit` does.
 * @throws SilentProvider after `patienceMs`.
 */
export async function passCircuit(
  { signal, waits }: Pick<PayContext, 'signal' | 'waits'>,
  provider: ProviderId,
  ask: () => Promise<Date | null>,
  patienceMs: number = PATIENCE.ms,
): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const until = await ask();
    if (!until) return;
    const left = deadline - Date.now();
    if (left <= 0) throw new SilentProvider(provider);
    const waitMs = Math.min(POLL_MS, left, Math.max(20, until.getTime() - Date.now()));
    await waits.during({ reason: 'provider_down', until, all: true }, () => pause(waitMs, signal));
  }
}

/** A provider that no call has had an answer from for a while. Every further call would wait as long. */
export class SilentProvider extends ProviderError {
  constructor(provider: ProviderId) {
    super(
      provider,
      'transient',
      `${providerNames[provider]} has not responded for a while, so the work was stopped. What was found so far is kept. Press Retry in a few minutes.`,
    );
  }
}

/**
 * Notes how a call has failed. A provider that does not answer several times in a row is left alone for a while.
 * A useful answer needs no note: booking it ends the row of failures.
 */
export async function noteOutcome(
  context: Pick<PayContext, 'deps' | 'key'>,
  provider: ProviderId,
  outcome: 'answered' | 'no_answer',
): Promise<void> {
  const bucket = bucketOf(context.key, provider);
  const note =
    outcome === 'answered'
      ? sql`delete from app.provider_circuits where bucket = ${bucket}`
      : sql`select app.break_circuit(${bucket})`;
  // Missing a note costs at most a failed call; it must not cost an answer that is paid for.
  await note
    .execute(context.deps.db)
    .catch((error: unknown) => context.deps.log.warn({ err: error }, 'circuit state not stored'));
}
