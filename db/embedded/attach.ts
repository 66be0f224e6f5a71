import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { freePort } from './free-port.ts';
import { filesOf } from './initialize.ts';
import type { Owner } from './owner.ts';
import { connectPatiently, takeOwnership } from './ownership.ts';
import { dropStalePidFile, launch, runningPostmaster } from './postmaster.ts';

const START_LIMIT_MS = 60_000;
const OWNER_PATIENCE_MS = 2_000;

/** A cluster on disk and how to run it. */
export type Cluster = {
  home: string;
  dataDir: string;
  bin: string;
  owner: Owner | undefined;
  settings: Record<string, string>;
};
/** A running cluster that is ours until `session` ends. */
export type Attached = { session: pg.Client; pid: number; port: number; how: 'started' | 'taken over' };

/** The address of a database of a cluster that listens on `port`. */
export const addressOf = (home: string, port: number, database: string): string =>
  `postgres://postgres:${readFileSync(filesOf(home).password, 'utf8')}@127.0.0.1:${port}/${database}`;

/**
 * Starts the cluster's PostgreSQL, or takes over the one that a killed process left running.
 * @throws Error when another instance owns it, or when it does not start.
 */
export async function attach(cluster: Cluster, wantedPort?: number): Promise<Attached> {
  const deadline = Date.now() + START_LIMIT_MS;
  for (let attempt = 1; ; attempt++) {
    const attached = await attachOnce(cluster, wantedPort, deadline);
    if (attached) return attached;
    if (attempt > 3 || Date.now() > deadline)
      throw new Error(`PostgreSQL did not start. The end of its log:\n${endOf(filesOf(cluster.home).log)}`);
    dropStalePidFile(filesOf(cluster.home).cluster);
    await sleep(100);
  }
}

async function attachOnce(options: Cluster, wantedPort: number | undefined, deadline: number) {
  const { home, dataDir, bin, owner, settings } = options;
  const { cluster, log } = filesOf(home);
  const running = runningPostmaster(cluster);
  const port = running?.port ?? wantedPort ?? (await freePort());
  const child = running
    ? undefined
    : launch({ bin, cluster, log, owner, settings: { ...settings, port: String(port) } });
  const session = await connectPatiently(addressOf(home, port, 'postgres'), deadline, () =>
    child ? child.exited : !runningPostmaster(cluster),
  );
  if (!session) return undefined;
  if (await takeOwnership(session, OWNER_PATIENCE_MS)) {
    const pid = runningPostmaster(cluster)?.pid;
    if (pid) return { session, pid, port, how: running ? ('taken over' as const) : ('started' as const) };
    return undefined;
  }
  await session.end();
  throw new Error(
    `The data in ${dataDir} is in use by another running Fairlead. Stop that one, or choose another DATA_DIR.`,
  );
}

function endOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').slice(-2_000);
  } catch {
    return '(it has none)';
  }
}
