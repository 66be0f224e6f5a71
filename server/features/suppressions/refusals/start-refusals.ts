import type { Deps } from '#server/deps.ts';
import { type Looking, lookEvery } from '#server/lib/look-every.ts';
import { suppressFoundLater } from './suppress-found-later.ts';

/** Within which an entry is to hold everywhere. */
const EVERY_MS = 5_000;
/** After many thousands of refusals a look takes seconds. It rests so many times longer than it took. */
const RESTS = 20;

/** Looks for numbers and places that were found after their business asked not to be called. */
export function startRefusals(deps: Pick<Deps, 'db' | 'vault' | 'log'>): Looking {
  let restsUntil = 0;
  const look = async () => {
    const begun = performance.now();
    if (begun < restsUntil) return;
    await suppressFoundLater(deps);
    const ended = performance.now();
    restsUntil = ended + (ended - begun) * RESTS;
  };
  return lookEvery(EVERY_MS, look, {
    log: deps.log,
    trouble: 'numbers that were found after a refusal could not be suppressed',
  });
}
