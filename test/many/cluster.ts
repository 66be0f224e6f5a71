import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '#db/embedded/free-port.ts';
import { type Sandbox, startSandbox } from '#sandbox/start-sandbox.ts';
import type { KeptMail } from '#server/mail/mail.ts';
import { readMails } from '#server/mail/outbox.ts';
import { temporaryFolder } from '#test/databases/postgres.ts';
import { type ServerProcess, startServer } from '#test/servers/server-process.ts';
import { type Balancer, startBalancer } from './balancer.ts';

/** A process of its own that can be replaced by the next one at the same address. `metrics`: where it tells its own. */
export type Member = { role: 'web' | 'worker'; url: string; metrics: string; process: ServerProcess };

/** Any number of processes on one PostgreSQL, behind a balancer. */
export type Cluster = {
  balancer: Balancer;
  web: Member[];
  workers: Member[];
  /** Stands in for the providers, in this process. */
  sandbox: Sandbox;
  /** Stops a member with SIGTERM and starts another in its place. Resolves when that is ready; returns the exit code. */
  restart(member: Member): Promise<number | null>;
  /** What they have mailed, the newest first. */
  mails(): Promise<KeptMail[]>;
  stop(): Promise<void>;
};

/** Starts `web` and `workers` processes. `env` is for each of them; keys that are not sandbox keys reach the providers' stand-ins. */
export async function startCluster(options: {
  databaseUrl: string;
  web: number;
  workers: number;
  latencyMs?: number;
  env?: Record<string, string>;
}): Promise<Cluster> {
  const { databaseUrl, latencyMs = 0, env = {} } = options;
  const folder = temporaryFolder();
  const sandbox = await startSandbox({ port: 0, host: '127.0.0.1', latencyMs });
  const balancer = await startBalancer(0);
  const shared = {
    DATA_DIR: folder,
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    PUBLIC_URL: balancer.url,
    TRUST_PROXY: 'loopback',
    DRAIN_SECONDS: '1',
    GOOGLE_PLACES_URL: `${sandbox.url}/google`,
    HUNTER_URL: `${sandbox.url}/hunter`,
    SEARCHBUG_URL: `${sandbox.url}/searchbug`,
    ...env,
  };
  const start = ({ role, url, metrics }: Omit<Member, 'process'>) =>
    startServer({ ...shared, ROLE: role, PORT: new URL(url).port, METRICS_PORT: new URL(metrics).port });
  const build = async (role: Member['role']): Promise<Member> => {
    const [url, metrics] = [`http://127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}/metrics`];
    const member = { role, url, metrics, process: start({ role, url, metrics }) };
    await member.process.ready();
    return member;
  };
  const several = (count: number, role: Member['role']) =>
    Promise.all(Array.from({ length: count }, () => build(role)));
  const [web, workers] = await Promise.all([several(options.web, 'web'), several(options.workers, 'worker')]);
  await balancer.serve(web.map(({ url }) => url));
  return {
    balancer,
    web,
    workers,
    sandbox,
    async restart(member) {
      const code = await member.process.stop();
      member.process = start(member);
      await member.process.ready();
      if (member.role === 'web') await balancer.serve(web.map(({ url }) => url));
      return code;
    },
    mails: () => readMails(join(folder, 'outbox')),
    async stop() {
      await balancer.stop();
      await Promise.all([...web, ...workers].map((member) => member.process.stop('SIGKILL')));
      await sandbox.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
