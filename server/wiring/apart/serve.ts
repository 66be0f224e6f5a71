import { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { connect } from '#db/connection/client.ts';
import { NOBODY_LISTENS } from '#db/notifications.ts';
import { createVault } from '#db/sealed/vault.ts';
import { createTurns } from '#db/turns/turns.ts';
import type { Queue } from '#jobs/queue.ts';
import { createProviders } from '#providers/registry.ts';
import { serveStreams } from '#server/apart/serve-streams.ts';
import { type Beginning, SERVING } from '#server/apart/told.ts';
import { providerUrlsOf, readEnv } from '#server/config/env.ts';
import { createCrmDesk } from '#server/crm/crm-desk.ts';
import type { Deps } from '#server/deps.ts';
import { chooseFooting } from '#server/footing/choose-footing.ts';
import { createMetrics } from '#server/metrics/metrics.ts';
import { createImporter } from '#server/open-data/load/importer.ts';
import { followEncryptionKeys } from '#server/process/encryption-keys.ts';
import { createLog } from '#server/process/log.ts';
import { createWebsites } from '#server/websites/visit-websites.ts';
import { gateOf } from '#server/wiring/gate-of.ts';
import { createApartApp } from './apart-app.ts';

const CONNECTIONS = 6;
/** One person has one part of an answer made at a time; the others of theirs wait. */
const TURNS = { atWork: 1, open: Number.POSITIVE_INFINITY, patienceMs: 60_000 };
/** How long PostgreSQL may take to cancel what no one waits for anymore. */
const CANCEL_MS = 2_000;
/** The socket that was passed on, after those of input, output, errors and messages. */
const SOCKET = 4;

/** Serves the process that started this one until that lets go, and ends. */
export async function serve({ databaseUrl, isSerial, siteUrl }: Beginning): Promise<void> {
  const log = createLog({ level: process.env.NODE_ENV === 'production' ? 'info' : 'warn' });
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error) => {
      log.fatal({ err: error }, event);
      process.exit(1);
    });
  const { db } = connect(databaseUrl, {
    max: CONNECTIONS,
    isSerial,
    isBehind: true,
    onError: (error) => log.warn({ err: error }, 'lost a database connection'),
  });
  // A process that reaches no database is of no use: it ends, and its parent does the work.
  await sql`select 1`.execute(db);
  const turns = createTurns(TURNS);
  const app = createApartApp(depsOf({ db, siteUrl, log }), turns);
  const closed = serveStreams(new Socket({ fd: SOCKET }), turns, async (request, told) => app.fetch(request, { told }));
  process.send?.(SERVING);
  await closed;
  await Promise.race([db.destroy(), sleep(CANCEL_MS)]);
  process.exit(0);
}

/** What verbs need, of which this process has only what reads and writes the database. */
function depsOf({ db, siteUrl, log }: Pick<Deps, 'db' | 'siteUrl' | 'log'>): Deps {
  const env = readEnv(process.env);
  const vault = createVault(followEncryptionKeys(env.encryptionKeys, env.dataDir));
  const providers = createProviders({ urls: providerUrlsOf(env), twilio: env.twilio, sandboxUrl: undefined });
  const crm = createCrmDesk({ db, vault, providers, log });
  const gate = gateOf({ env, db, vault, log, crm });
  const { accounts, verifyAccessToken } = chooseFooting(env, { db, gate, siteUrl, log });
  return {
    env,
    siteUrl,
    db,
    vault,
    providers,
    websites: createWebsites({ env, siteUrl, sandbox: undefined }),
    queue: NO_QUEUE,
    notifications: NOBODY_LISTENS,
    log,
    metrics: createMetrics(),
    clientIp: () => '',
    stopping: new AbortController().signal,
    crm,
    importer: createImporter({ url: undefined, folder: join(env.dataDir, 'open-data'), log }),
    gate,
    accounts,
    sendMail: notHere,
    verifyAccessToken,
  };
}

const notHere = () => Promise.reject(new Error('The process for long work does not do this.'));
const NO_QUEUE: Queue = {
  announceRun: notHere,
  announcing: notHere,
  handOver: () => {},
  work: notHere,
  stopWork: notHere,
  check: notHere,
  stop: notHere,
};
