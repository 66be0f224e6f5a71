import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { createVault } from '#db/sealed/vault.ts';
import { createProviders } from '#providers/registry.ts';
import { createApart } from './apart/apart.ts';
import { type Env, outboxOf, providerUrlsOf, publicUrlOf, readEnv } from './config/env.ts';
import { createCrmDesk } from './crm/crm-desk.ts';
import type { Deps } from './deps.ts';
import { chooseFooting } from './footing/choose-footing.ts';
import { OWN_CHANNELS } from './footing/own.ts';
import { rulesOf } from './footing/rules.ts';
import { clientIpFinder } from './http/client-ip.ts';
import { createMailer } from './mail/mailer.ts';
import { createMetrics } from './metrics/metrics.ts';
import { createImporter } from './open-data/load/importer.ts';
import { followEncryptionKeys } from './process/encryption-keys.ts';
import { greeting } from './process/greeting.ts';
import { createLog } from './process/log.ts';
import { openConnections, poolsOf } from './process/open-connections.ts';
import { openDatabase } from './process/open-database.ts';
import { openPort } from './process/open-port.ts';
import { prepareDatabase } from './process/prepare-database.ts';
import { serveMetrics } from './process/serve-metrics.ts';
import { createShutdown } from './process/shutdown.ts';
import { siteAt } from './process/site.ts';
import { createWebsites } from './websites/visit-websites.ts';
import { PRODUCT_CHANNELS } from './wiring/channels.ts';
import { gateOf } from './wiring/gate-of.ts';
import { startSandboxOf } from './wiring/start-sandbox.ts';
import { startSite } from './wiring/start-site.ts';
import { startWork } from './wiring/start-work.ts';
import { createWorkerApp } from './wiring/worker-app.ts';

if (existsSync('.env')) process.loadEnvFile('.env');
// No one at the terminal of a trial wants a line for each request.
const log = createLog({ level: process.env.NODE_ENV === 'production' ? 'info' : 'warn' });
let starting: Promise<void> = Promise.resolve();
const shutdown = createShutdown(
  () => starting,
  (error) => log.error({ err: error }, 'a part did not stop'),
);

async function start(env: Env): Promise<void> {
  const database = await openDatabase(env);
  shutdown.add(database.stop);
  void database.lost.then(() => fail(new Error('PostgreSQL stopped and could not be started again.')));
  const vault = createVault(followEncryptionKeys(env.encryptionKeys, env.dataDir));
  const keys = { configured: env.encryptionKeys.length > 0, dataDir: env.dataDir };
  await prepareDatabase(database.ownerUrl, vault, keys, rulesOf(env).database);
  const connections = await openConnections(database, env.role === 'worker' ? 'worker' : 'web', {
    channels: [...PRODUCT_CHANNELS, ...OWN_CHANNELS],
    shutdown,
    log,
  });
  const { signIn, notifications, queue } = connections;
  const { db } = connections.requests;
  const sandbox = env.sandbox ? await startSandboxOf(env, log) : undefined;
  if (sandbox) shutdown.add(() => sandbox.close());

  // Opened before there is an app to answer, because that needs to know its own address.
  const port = await openPort(env);
  const site = siteAt(publicUrlOf(env, port.number));
  const mailer = createMailer({
    smtpUrl: env.smtpUrl,
    allowPlain: env.smtpAllowPlain,
    from: env.mailFrom ?? `Fairlead <no-reply@${new URL(site.url).hostname}>`,
    outboxDir: outboxOf(env),
    onMail: (mail) => console.log(`Email for ${mail.to}: ${mail.subject}\n  ${mail.links[0] ?? ''}`),
  });
  shutdown.add(async () => mailer.close());
  const apart = createApart({ ...connections.long, siteUrl: site.url, log });
  shutdown.add(apart.stop);
  // Requests under way may still have to mail something.
  shutdown.add(port.stop, port.stopMs);

  const metrics = createMetrics({ db, pools: poolsOf(connections) });
  if (env.metricsPort !== undefined) shutdown.add((await serveMetrics(metrics, env.metricsPort)).stop);
  const providers = createProviders({ urls: providerUrlsOf(env), twilio: env.twilio, sandboxUrl: sandbox?.url });
  const websites = createWebsites({ env, siteUrl: site.url, sandbox: sandbox?.websites });
  const crm = createCrmDesk({ db: signIn.db, vault, providers, log });
  const gate = gateOf({ env, db: signIn.db, vault, log, crm });
  const footing = chooseFooting(env, { db, gate, siteUrl: site.url, log });
  const importer = createImporter({ url: connections.sessionUrl, folder: join(env.dataDir, 'open-data'), log });
  shutdown.add(async () => importer.stop());
  const deps: Deps = {
    env,
    siteUrl: site.url,
    db,
    vault,
    providers,
    websites,
    queue,
    notifications,
    log,
    metrics,
    clientIp: clientIpFinder(env.trustProxy),
    stopping: port.stopping,
    crm,
    importer,
    apart,
    gate,
    accounts: footing.accounts,
    sendMail: (mail) => mailer.send(mail),
    verifyAccessToken: footing.verifyAccessToken,
  };

  const app =
    env.role === 'worker'
      ? createWorkerApp(deps)
      : startSite(footing, { deps, connections, site, port, sandboxUrl: sandbox?.url, shutdown });
  port.answerBy(getRequestListener(app.fetch));
  if (env.role !== 'web') await startWork({ ...deps, db: connections.work.db }, shutdown);
  shutdown.add(port.drain, env.drainSeconds * 1_000);
  log.info({ port: port.number, role: env.role, database: database.where }, 'ready');
  console.log(greeting(env, site.url, database.where));
}

/** Programming errors are shown with their stack; the others are written for the person who starts it. */
function fail(error: unknown): void {
  const isBug = !(error instanceof Error) || error instanceof TypeError || error instanceof ReferenceError;
  console.error(isBug ? error : error.message);
  void shutdown.run(1);
}

// A terminal's Ctrl-C reaches the whole process group, and npm forwards it too: the signal comes twice or more.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void shutdown.run(0));
for (const event of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(event, (error) => {
    log.fatal({ err: error }, event);
    fail(error);
  });

try {
  starting = start(readEnv(process.env));
  await starting;
} catch (error) {
  fail(error);
}
