import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '#db/embedded/free-port.ts';
import { temporaryFolder } from '#test/databases/postgres.ts';
import { residentBytes } from '../harness/process-figures.ts';
import { type Figure, report } from '../harness/report.ts';
import { median } from '../harness/statistics.ts';
import { waitUntilHealthy } from '../harness/wait-until-healthy.ts';

const ROUNDS = 5;
const IDLE_MS = 10_000;

const dataDir = temporaryFolder();
try {
  const first = await start('npm');
  await first.end('SIGTERM');
  const warm = await starts('SIGTERM');
  const killed = await starts('SIGKILL');
  report([
    figureOf('warm npm start to /healthz', warm),
    figureOf('start after kill -9 to /healthz', killed),
    await idleMemory(),
  ]);
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}

function figureOf(name: string, seconds: readonly number[]): Figure {
  const measured = `median of ${ROUNDS}, slowest ${Math.max(...seconds).toFixed(2)} s`;
  return { name, value: median(seconds), unit: 's', limit: ['≤', 3], measured };
}

/** How long starts take, in seconds, when the process before was ended by `signal`. */
async function starts(signal: 'SIGTERM' | 'SIGKILL'): Promise<number[]> {
  const seconds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    // A kill has to hit Node itself, which npm would outlive.
    if (signal === 'SIGKILL') await (await start('node')).end('SIGKILL');
    const server = await start('npm');
    seconds.push(server.seconds);
    await server.end('SIGTERM');
  }
  return seconds;
}

async function idleMemory(): Promise<Figure> {
  const server = await start('node');
  await pause(IDLE_MS);
  const megabytes = residentBytes(server.pid) / 1_000_000;
  await server.end('SIGTERM');
  return {
    name: `memory of the idle Node process after ${IDLE_MS / 1_000} s`,
    value: megabytes,
    unit: 'MB',
    limit: ['≤', 200],
  };
}

/** Starts as a user does, by npm, or the script that npm runs, on the same data. */
async function start(by: 'npm' | 'node') {
  const port = await freePort();
  const started = performance.now();
  const [command, args] = by === 'npm' ? ['npm', ['start']] : [process.execPath, ['scripts/start.mjs']];
  const child = spawn(command, args, {
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  await waitUntilHealthy(`http://127.0.0.1:${port}`, child);
  return {
    seconds: (performance.now() - started) / 1_000,
    pid: child.pid ?? 0,
    async end(signal: NodeJS.Signals) {
      child.kill(signal);
      await ended;
    },
  };
}
