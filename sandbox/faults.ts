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
