import { fork } from 'node:child_process';
import { rmSync } from 'node:fs';
import { startPostgres } from '#db/embedded/start-postgres.ts';
import { migrate } from '#db/migrations/migrate.ts';
import { SPACING } from '#server/paid-calls/departure/departures.ts';
import { temporaryFolder } from '#test/databases/postgres.ts';
import { report } from '../harness/report.ts';
import type { Departures, Errand } from '../harness/spaced-caller.ts';
import { inMs } from '../harness/statistics.ts';

const LATENCY_MS = 200;
const CALLS = 1_000;
const PROCESSES = 2;
const LIMITS = SPACING.hunter_io;
/** With the real windows 1,000 calls take two minutes. */
const SCALE = 5;

const dataDir = temporaryFolder();
const postgres = await startPostgres({ dataDir });
try {
  const url = await postgres.database('spacing');
  await migrate(url, { hosted: false });
  const scaled = LIMITS.map(({ calls, windowMs }) => ({ calls, windowMs: windowMs / SCALE }));
  report([
    await figure(`${CALLS} calls, windows of Hunter ÷ ${SCALE}, ${PROCESSES} processes`, url, CALLS, scaled),
    await figure(`100 calls, windows of Hunter, ${PROCESSES} processes`, url, 100, LIMITS),
  ]);
} finally {
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function figure(name: string, url: string, calls: number, limits: typeof LIMITS) {
  const parts = await Promise.all(
    Array.from({ length: PROCESSES }, () =>
      send({ url, bucket: `bench ${name}`, calls: calls / PROCESSES, limits: [...limits], latencyMs: LATENCY_MS }),
    ),
  );
  const departures = parts.flatMap((part) => part.departures).toSorted((a, b) => a - b);
  const took = (departures.at(-1) ?? 0) + LATENCY_MS - (departures[0] ?? 0);
  const optimum = lastDeparture(calls, limits) + LATENCY_MS;
  // Calls leave late on a busy machine, but never all of them early.
  if (took < optimum * 0.98) throw new Error(`${calls} calls left within ${inMs(took)}: the limits do not hold.`);
  const against = `what the limits allow, ${inMs(optimum)}`;
  return { name, value: took / optimum, unit: '×', limit: ['≤', 1.05], measured: inMs(took), against } as const;
}

/** When the last of `calls` may leave at the earliest, in ms after the first. */
function lastDeparture(calls: number, limits: typeof LIMITS): number {
  const at: number[] = [];
  for (let index = 0; index < calls; index += 1)
    at.push(
      Math.max(
        0,
        at[index - 1] ?? 0,
        ...limits.map((limit) => (at[index - limit.calls] ?? -Infinity) + limit.windowMs),
      ),
    );
  return at.at(-1) ?? 0;
}

function send(errand: Errand): Promise<Departures> {
  const { promise, resolve, reject } = Promise.withResolvers<Departures>();
  const child = fork(new URL('../harness/spaced-caller.ts', import.meta.url), [JSON.stringify(errand)]);
  child.once('message', (message) => resolve(message as Departures));
  child.once('exit', (code) => reject(new Error(`A caller ended with ${code}.`)));
  return promise;
}
