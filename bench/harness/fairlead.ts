import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, type Db } from '#db/connection/client.ts';
import { startPostgres } from '#db/embedded/start-postgres.ts';
import { createVault, type Vault } from '#db/sealed/vault.ts';
import { type Sandbox, startSandbox } from '#sandbox/start-sandbox.ts';
import { temporaryFolder } from '#test/databases/postgres.ts';
import { startServer } from '#test/servers/server-process.ts';
import { startCountingProxy } from './counting-proxy.ts';
import { type Session, signIn } from './sign-in.ts';

/** Fairlead in a process of its own, with stand-ins of the providers and someone signed in. */
export type Fairlead = {
  url: string;
  /** The process id of the server. */
  readonly pid: number;
  databaseUrl: string;
  db: Db;
  /** Opens what the server has sealed, with its key. */
  vault: Vault;
  encryptionKey: string;
  /** Plays the real services, in this process: see `PROVIDER_KEYS`. */
  sandbox: Sandbox;
  session: Session;
  /** What is left of the server's heap after a collection of garbage. Only with `heapOnSignal`. */
  usedHeapBytes(): Promise<number>;
  /** How often the server has waited for PostgreSQL so far. Only with `countWaits`. */
  waits(): number;
  /** Has a new process in the server's place, at the same address, that has done nothing yet. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

/** Keys as of real accounts, so that calls go to the addresses that the environment names. */
export const PROVIDER_KEYS = {
  google_places: 'bench-google-key',
  hunter_io: 'bench-hunter-key',
  searchbug: '12345678:bench-searchbug-key',
} as const;

/** Starts everything on a new database of an embedded PostgreSQL with its usual settings. `latencyMs`: what every provider call takes. */
export async function startFairlead({
  latencyMs = 0,
  heapOnSignal = false,
  countWaits = false,
  env = {},
}: {
  latencyMs?: number;
  heapOnSignal?: boolean;
  countWaits?: boolean;
  env?: Record<string, string>;
} = {}): Promise<Fairlead> {
  const dataDir = temporaryFolder();
  const postgres = await startPostgres({ dataDir });
  const databaseUrl = await postgres.database('fairlead');
  const proxy = countWaits ? await startCountingProxy(databaseUrl) : undefined;
  const sandbox = await startSandbox({ port: 0, host: '127.0.0.1', latencyMs });
  const encryptionKey = randomBytes(32).toString('base64');
  const environment = {
    ...(heapOnSignal ? { NODE_OPTIONS: `--import=${new URL('heap-on-signal.ts', import.meta.url)}` } : {}),
    ...env,
    DATA_DIR: dataDir,
    DATABASE_URL: proxy?.databaseUrl ?? databaseUrl,
    ENCRYPTION_KEYS: encryptionKey,
    GOOGLE_PLACES_URL: `${sandbox.url}/google`,
    HUNTER_URL: `${sandbox.url}/hunter`,
    SEARCHBUG_URL: `${sandbox.url}/searchbug`,
  };
  let server = startServer(environment);
  const { db } = connect(databaseUrl);
  const stop = async () => {
    await server.stop();
    await Promise.all([db.destroy(), sandbox.close(), proxy?.close()]);
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  const usedHeapBytes = async () => {
    const printed = () => [...server.output.matchAll(/heap used: (\d+)/g)];
    const before = printed().length;
    server.child.kill('SIGUSR2');
    for (const until = Date.now() + 10_000; printed().length === before; await pause(20))
      if (Date.now() > until) throw new Error('The server did not say how much of its heap is used.');
    return Number(printed().at(-1)?.[1]);
  };
  try {
    const url = await server.ready();
    const session = await signIn(url, 'bench@fairlead.example');
    for (const [provider, apiKey] of Object.entries(PROVIDER_KEYS))
      await session.post('/api/keys/test', { provider, apiKey, save: true });
    const restart = async () => {
      await server.stop();
      server = startServer({ ...environment, PORT: new URL(url).port });
      await server.ready();
    };
    return {
      url,
      databaseUrl,
      db,
      vault: createVault([encryptionKey]),
      encryptionKey,
      sandbox,
      session,
      usedHeapBytes,
      waits: () => proxy?.waits() ?? 0,
      restart,
      stop,
      get pid() {
        return server.child.pid ?? 0;
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
