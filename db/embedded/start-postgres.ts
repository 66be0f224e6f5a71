import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Attached, addressOf, attach, type Cluster } from './attach.ts';
import { binaries } from './binaries.ts';
import { assertOurs, filesOf, initialize } from './initialize.ts';
import { claim, locate } from './locate.ts';
import { chooseOwner } from './owner.ts';
import { isAlive, runningPostmaster } from './postmaster.ts';

const STOP_LIMIT_MS = 20_000;

/** The embedded PostgreSQL while it is ours. */
export type EmbeddedPostgres = {
  /** Whether we started it, or found it running after the death of the process that had. */
  how: 'started' | 'taken over';
  /** Where its files are: in `dataDir`, or for root possibly under /var/lib/fairlead. */
  folder: string;
  /** The postmaster's process id. */
  readonly pid: number;
  /** Creates the database if it is missing (as a copy of `template`, if named) and returns its address. */
  database(name: string, template?: string): Promise<string>;
  /** Resolves when PostgreSQL has gone although no one asked, and could not be brought back at the same address. */
  lost: Promise<void>;
  /** Ends all sessions, writes everything to disk and stops PostgreSQL. */
  stop(): Promise<void>;
};

/**
 * Starts PostgreSQL on a free port of 127.0.0.1 with its data in `dataDir`, made if it is missing.
 * `settings`: PostgreSQL's own, e.g. `{ fsync: 'off' }`.
 * @throws Error, with a text for the user, when the folder is foreign, of another major version, in use, or cannot be started.
 */
export async function startPostgres(options: {
  dataDir: string;
  settings?: Record<string, string>;
}): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  mkdirSync(dataDir, { recursive: true });
  const cluster = prepare(dataDir, options.settings ?? {});
  return supervise(cluster, await attach(cluster));
}

function prepare(dataDir: string, settings: Record<string, string>): Cluster {
  const owner = chooseOwner(filesOf(join(dataDir, 'postgres')).cluster);
  const bin = binaries(owner);
  const found = locate(dataDir, owner);
  let home = found.folder;
  if (!existsSync(home)) {
    initialize(home, bin, owner);
    home = claim(found);
  }
  assertOurs(home);
  return { home, dataDir, bin, owner: chooseOwner(filesOf(home).cluster), settings };
}

function supervise(cluster: Cluster, first: Attached): EmbeddedPostgres {
  let { session, pid } = first;
  const { port, how } = first;
  let stopping = false;
  let reviving: Promise<void> | undefined;
  const { promise: lost, resolve: giveUp } = Promise.withResolvers<void>();

  // PostgreSQL ends every session when one of its processes crashes, and may be killed: bring it back where it was.
  const watch = () =>
    session.once('end', () => {
      if (!stopping) reviving = revive().catch(() => giveUp());
    });
  const revive = async () => {
    const again = await attach(cluster, port);
    if (again.port !== port) return giveUp();
    ({ session, pid } = again);
    watch();
  };
  watch();

  return {
    how,
    folder: cluster.home,
    get pid() {
      return pid;
    },
    lost,
    async database(name, template = 'template1') {
      const found = await session.query('select from pg_database where datname = $1', [name]);
      if (!found.rowCount)
        await session.query(`create database ${pg.escapeIdentifier(name)} template ${pg.escapeIdentifier(template)}`);
      return addressOf(cluster.home, port, name);
    },
    async stop() {
      if (stopping) return;
      stopping = true;
      await reviving;
      await shutDown(filesOf(cluster.home).cluster);
      await session.end().catch(() => {});
    },
  };
}

async function shutDown(cluster: string): Promise<void> {
  const pid = runningPostmaster(cluster)?.pid;
  if (!pid) return;
  const gone = () => runningPostmaster(cluster)?.pid !== pid || !isAlive(pid);
  process.kill(pid, 'SIGINT'); // fast: ends sessions, writes a checkpoint
  for (const until = Date.now() + STOP_LIMIT_MS; !gone() && Date.now() < until; ) await sleep(10);
  if (!gone()) process.kill(pid, 'SIGQUIT'); // immediate: the next start recovers from the log
}
