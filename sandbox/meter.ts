import type { SandboxProvider } from './wire.ts';

/** What one key has used of one provider since the last reset. Money in micro-dollars. */
type MeterRow = {
  provider: SandboxProvider;
  key: string;
  calls: number;
  /** Distinct subjects asked about; `calls` above it are repeats. */
  subjects: number;
  billedUnits: number;
  micros: number;
};

type MeterTotals = { calls: number; billedUnits: number; micros: number };

/** Counts, in memory, what the simulated providers were asked and what they would have charged. */
export type Meter = {
  rows(): MeterRow[];
  /** Sums over all keys, of one provider or of all. */
  totals(provider?: SandboxProvider): MeterTotals;
  /** How often each subject was asked with a key: a domain, a batch of numbers, a page of a search. */
  callsBySubject(provider: SandboxProvider, key: string): ReadonlyMap<string, number>;
  reset(): void;
};

/** A call to be counted. `once`: its subject is billed only the first time for this key. */
type MeteredCall = { subject: string; units: number; micros: number; once?: boolean | undefined };

export type MeterWriter = Meter & {
  record(provider: SandboxProvider, key: string, call: MeteredCall): void;
  spentMicros(provider: SandboxProvider, key: string): number;
};

type Usage = MeterTotals & {
  provider: SandboxProvider;
  key: string;
  bySubject: Map<string, number>;
  billed: Set<string>;
};

/** Sandbox keys are shown as they are; of any other key only the end, because it may be a real one. */
const shown = (key: string) => (key.includes('sandbox') ? key : `…${key.slice(-4)}`);

export function createMeter(): MeterWriter {
  const usages = new Map<string, Usage>();
  const usageOf = (provider: SandboxProvider, key: string) => usages.get(`${provider} ${shown(key)}`);

  return {
    record(provider, key, { subject, units, micros, once }) {
      const id = `${provider} ${shown(key)}`;
      const usage: Usage = usages.get(id) ?? {
        provider,
        key: shown(key),
        calls: 0,
        billedUnits: 0,
        micros: 0,
        bySubject: new Map(),
        billed: new Set(),
      };
      usages.set(id, usage);
      usage.calls += 1;
      usage.bySubject.set(subject, (usage.bySubject.get(subject) ?? 0) + 1);
      if (units === 0 || (once && usage.billed.has(subject))) return;
      usage.billed.add(subject);
      usage.billedUnits += units;
      usage.micros += micros;
    },
    spentMicros: (provider, key) => usageOf(provider, key)?.micros ?? 0,
    rows: () =>
      [...usages.values()].map(({ provider, key, calls, billedUnits, micros, bySubject }) => ({
        provider,
        key,
        calls,
        billedUnits,
        micros,
        subjects: bySubject.size,
      })),
    totals(provider) {
      const sum: MeterTotals = { calls: 0, billedUnits: 0, micros: 0 };
      for (const usage of usages.values()) {
        if (provider !== undefined && usage.provider !== provider) continue;
        sum.calls += usage.calls;
        sum.billedUnits += usage.billedUnits;
        sum.micros += usage.micros;
      }
      return sum;
    },
    callsBySubject: (provider, key) => usageOf(provider, key)?.bySubject ?? new Map(),
    reset: () => usages.clear(),
  };
}
