import { ProviderError } from '#providers/provider.ts';
import { pause } from '#server/lib/pause.ts';
import { askCircuit, noteOutcome, passCircuit } from '#server/paid-calls/departure/circuit.ts';
import { awaitDeparture } from '#server/paid-calls/departure/departures.ts';
import { retryPause } from '#server/paid-calls/departure/retry-pause.ts';
import type { RunContext } from '#server/runs/run-context.ts';

const PROVIDER = 'google_places';

/**
 * Sends a request that costs nothing, at the pace of its key. Repeats it when that may help.
 * @throws ProviderError, RunStopped
 */
export async function freeCall<A>(context: RunContext, send: () => Promise<A>): Promise<A> {
  const { waits, signal } = context;
  for (let tries = 1; ; tries += 1) {
    if (tries === 1) {
      await passCircuit(context, PROVIDER, async () => {
        const [nextTry = null] = await askCircuit(context, PROVIDER, 1);
        return nextTry;
      });
    }
    await awaitDeparture(context, PROVIDER);
    signal.throwIfAborted();
    try {
      const answer = await send();
      waits.moved();
      if (tries > 1) await noteOutcome(context, PROVIDER, 'answered');
      return answer;
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      await noteOutcome(context, PROVIDER, error.kind === 'transient' ? 'no_answer' : 'answered');
      const waitMs = retryPause(error, tries);
      if (waitMs === undefined) throw error;
      const until = new Date(Date.now() + waitMs);
      const reason = error.kind === 'transient' ? 'provider_down' : 'limit';
      await waits.during({ reason, until }, () => pause(waitMs, signal));
    }
  }
}
