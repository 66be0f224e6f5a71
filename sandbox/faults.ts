import { hashOf } from './businesses/random.ts';

/** What a key can ask the sandbox to play. */
export type Fault = 'bad-key' | 'out-of-credit' | 'rate-limited' | 'slow' | 'down' | 'malformed';

const faultSuffix = /-(bad-key|out-of-credit|rate-limited|slow|down|malformed)(-later)?$/;
const faults: readonly Fault[] = ['bad-key', 'out-of-credit', 'rate-limited', 'slow', 'down', 'malformed'];

/**
 * The fault that a key plays, by how it ends: `sandbox-down`. With `-later` behind it, calls that are free by nature (the test
 * of a key, ids-only searches) work, so that such a key can be saved and fails only when it is used.
 */
export function faultOf(key: string, free: boolean): Fault | undefined {
  const [, name, later] = faultSuffix.exec(key) ?? [];
  if (later && free) return undefined;
  return faults.find((fault) => fault === name);
}

/** How many calls of a day a key is good for: `sandbox-day-quota-40`. Undefined for any number. */
export function dayQuotaOf(key: string): number | undefined {
  const [, calls] = /-day-quota-(\d+)\b/.exec(key) ?? [];
  return calls === undefined ? undefined : Number(calls);
}

/** Whether the first free page of some searches cannot be read when it is asked for first: `sandbox-patchy`. */
export const isPatchy = (key: string, subject: string): boolean =>
  /-patchy\b/.test(key) && FIRST_PAGE.test(subject) && hashOf(subject) % PATCHY_ONE_OF === 0;
const FIRST_PAGE = /\|0\|0$/;
const PATCHY_ONE_OF = 4;

/** Counts, per name, how often something has happened: the faults that change from call to call need it. */
export type Turns = { take(name: string): number; reset(): void };

export function createTurns(): Turns {
  const taken = new Map<string, number>();
  return {
    take(name) {
      const turn = taken.get(name) ?? 0;
      taken.set(name, turn + 1);
      return turn;
    },
    reset: () => taken.clear(),
  };
}
