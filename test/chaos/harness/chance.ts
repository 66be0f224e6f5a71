import { type Random, seededRandom } from '#sandbox/businesses/random.ts';
import type { Fault } from '#sandbox/faults.ts';
import type { Chance } from '#sandbox/start-sandbox.ts';

/** `CHAOS_SEED`, or a new one. The same seed makes the same choices; when they meet which call is up to the machine. */
const SEED = process.env.CHAOS_SEED || Date.now().toString(36);

/** Whether this is `npm run test:chaos`: as many and as much as was promised, and not what fits into `npm run test:long`. */
export const FULL = process.env.CHAOS_KILLS !== undefined;
export const KILLS = Number(process.env.CHAOS_KILLS ?? 5);
/** Domains or numbers of one list. */
export const SIZE = Number(process.env.CHAOS_SIZE ?? 120);

/** Chance for the choices of one test; its seed is printed. */
export function chanceOf(test: string): Random {
  console.log(`${test}: CHAOS_SEED=${SEED}`);
  return seededRandom(`${test}|${SEED}`);
}

/** For providers: a delay of up to `longestMs`, and in `faulty` of all calls a fault. A stream of its own, in the order of the calls. */
export function disturbing(longestMs: number, faulty = 0): () => Chance {
  const random = seededRandom(`providers|${SEED}`);
  const faults: readonly Fault[] = ['down', 'malformed', 'rate-limited'];
  return () => ({
    delayMs: random.below(longestMs),
    fault: random.chance(faulty) ? random.pick(faults) : undefined,
  });
}
