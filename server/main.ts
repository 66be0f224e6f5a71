import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import { createBackend } from '#backend/app.ts';
import { createTokenVerifier, type TokenVerifier } from '#backend/auth/access-token.ts';
import { REALTIME_CHANNELS } from '#backend/realtime/options.ts';
import { createRealtime } from '#backend/realtime/realtime.ts';
import { createFileStore } from '#backend/storage/file-store.ts';
import { sweepFiles } from '#backend/storage/sweep-files.ts';
import { createVault } from '#db/vault.ts';
import { createProviders } from '#providers/registry.ts';
import { type Sandbox, startSandbox } from '#sandbox/start-sandbox.ts';
import { hostedAccounts } from './accounts/hosted/hosted-accounts.ts';
import { createHostedVerifier } from './accounts/hosted/hosted-verifier.ts';
import { ownAccounts } from './accounts/own-accounts.ts';
import { createApp } from './app.ts';
import { authEventRecorder } from './audit/record-auth-event.ts';
import { createKeptLimits } from './budgets/kept-limits.ts';
import { type Env, outboxOf, providerUrlsOf, publicUrlOf, readEnv, strangersMayCome } from './config/env.ts';
import { createCrmAccess } from './crm/crm-access.ts';
import { createCrmDesk } from './crm/crm-desk.ts';
import type { Deps } from './deps.ts';
import { createGate } from './features/access/gate.ts';
import { fromHostedStorage, fromOwnStorage } from './features/exports/kept-exports.ts';
import { startExportSweep } from './features/exports/start-export-sweep.ts';
import { LIVE_CHANNELS } from './features/live/channels.ts';
import { startHostedLive } from './features/live/start-hosted-live.ts';
import { startOwnLive } from './features/live/start-own-live.ts';
import { createMailbox } from './features/mailbox/mailbox.ts';
import { productFunctions } from './footing/product-functions.ts';
import { publishableKeys } from './footing/publishable-keys.ts';
import { clientIpFinder, socketIpFinder } from './http/client-ip.ts';
import type { HttpEnv } from './http/http-env.ts';
import { nameActor, namingActor } from './http/request-scope.ts';
import { createMailer } from './mail/mailer.ts';
import { keepText, textSender } from './mail/text-message.ts';
import { createMetrics } from './metrics/metrics.ts';
import { followEncryptionKeys } from './process/encryption-keys.ts';
import { greeting } from './process/greeting.ts';
import { createLog } from './process/log.ts';
import { type Connections, openConnections, poolsOf } from './process/open-connections.ts';
import { openDatabase } from './process/open-database.ts';
import { openPort, type Port } from './process/open-port.ts';
import { prepareDatabase } from './process/prepare-database.ts';
import { serveMetrics } from './process/serve-metrics.ts';
import { createShutdown } from './process/shutdown.ts';
import { type Site, siteAt } from './process/site.ts';
import { RUN_CHANNELS } from './runs/channels.ts';
import { startWork } from './wiring/start-work.ts';
import { createWorkerApp } from './wiring/worker-app.ts';

const WEB_FOLDER = fileURLToPath(new URL('../web/dist', import.meta.url));

if (existsSync('.env')) process.loadEnvFile('.env');
// Nobody at the terminal of a trial wants a line for each request.
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
  await prepareDatabase(database.ownerUrl, vault, keys, { hosted: env.supabase !== undefined });
  const connections = await openConnections(database, env.role === 'worker' ? 'worker' : 'web', {
    channels: [...RUN_CHANNELS, ...LIVE_CHANNELS, ...REALTIME_CHANNELS, 'pgrst'],
    shutdown,
    log,
  });
  const { signIn, notifications, queue } = connections;
  const { db } = connections.requests;
  const sandbox = env.sandbox ? await startSandboxOf(env) : undefined;
  if (sandbox) shutdown.add(() => sandbox.close());

  // Opened before there is an app to answer, because that needs to know its own address.
  const port = await openPort(env);
  const site = siteAt(publicUrlOf(env, port.number));
  const mailer = createMailer({
    smtpUrl: env.smtpUrl,
    allowPlain: env.smtpAllowPlain,
    from: env.mailFrom ?? `Fairlead <no-reply@${new URL(site.url).hostname}>`,
    outboxDir: outboxOf(env),
    onMail: (mail) => console.log(`Mail for ${mail.to}: ${mail.subject}\n  ${mail.links[0] ?? ''}`),
  });
  shutdown.add(async () => mailer.close());
  // Requests under way may still have to mail something.
  shutdown.add(port.stop, port.stopMs);

  const metrics = createMetrics({ db, pools: poolsOf(connections) });
  if (env.metricsPort !== undefined) shutdown.add((await serveMetrics(metrics, env.metricsPort)).stop);
  const providers = createProviders({ urls: providerUrlsOf(env), twilio: env.twilio, sandboxUrl: sandbox?.url });
  const crm = createCrmDesk({ db: signIn.db, vault, providers, log });
  const gate = createGate({
    db: signIn.db,
    adminEmails: env.adminEmails,
    strangersMayCome: strangersMayCome(env),
    crm: createCrmAccess({ db: signIn.db, log, crm }),
    crmGraceHours: env.crmGraceHours,
    keptLimits: createKeptLimits(vault),
  });
  const issuer = `${site.url}/auth/v1`;
  const verifier = createTokenVerifier({ db, issuer });
  const accounts = env.supabase
    ? hostedAccounts({ db, gate, supabase: env.supabase, siteUrl: site.url, log })
    : ownAccounts(db);
  const deps: Deps = {
    env,
    siteUrl: site.url,
    db,
    vault,
    providers,
    queue,
    notifications,
    log,
    metrics,
    clientIp: clientIpFinder(env.trustProxy),
    stopping: port.stopping,
    crm,
    gate,
    accounts,
    sendMail: (mail) => mailer.send(mail),
    verifyAccessToken: namingActor(
      env.supabase ? createHostedVerifier(env.supabase) : (token) => verifier.verify(token),
    ),
  };

  const app =
    env.role === 'worker'
      ? createWorkerApp(deps)
      : startSite({ deps, connections, site, port, issuer, verifier, sandbox });
  port.answerBy(getRequestListener(app.fetch));
  if (env.role !== 'web') await startWork({ ...deps, db: connections.work.db }, shutdown);
  shutdown.add(port.drain, env.drainSeconds * 1_000);
  log.info({ port: port.number, role: env.role, database: database.where }, 'ready');
  console.log(greeting(env, site.url, database.where));
}

/** The simulated providers. */
const startSandboxOf = (env: Env): Promise<Sandbox> =>
  startSandbox({
    port: 0,
    host: '127.0.0.1',
    placesCsv: env.sandboxPlacesCsv,
    onText: (text) =>
      void keepText(outboxOf(env) ?? '', text).catch((error) =>
        log.warn({ err: error }, 'could not keep a text message'),
      ),
  });

type SiteParts = {
  deps: Deps;
  connections: Connections;
  site: Site;
  port: Port;
  issuer: string;
  verifier: TokenVerifier;
  sandbox: Sandbox | undefined;
};

/**
 * What people and programs reach: the pages, the product API and, where hosted Supabase does not stand in its place, the backend. Starts
 * what keeps pages live and stored exports swept as well.
 */
function startSite(parts: SiteParts): Hono<HttpEnv> {
  const { deps, connections, site } = parts;
  const { env, db } = deps;
  const own = env.supabase ? undefined : startOwnBackend(parts, () => app);
  const outboxDir = outboxOf(env);
  const app: Hono<HttpEnv> = createApp({
    deps,
    backend: own?.backend,
    mailbox: outboxDir ? createMailbox({ outboxDir }) : undefined,
    config: {
      backendKey: env.supabase?.publishableKey ?? own?.publishableKey ?? '',
      sandbox: env.sandbox,
      mailbox: outboxDir !== undefined,
      supportUrl: env.supportUrl,
    },
    backendUrlFor: (opened) => env.supabase?.url ?? site.backendUrlFor(opened),
    webFolder: WEB_FOLDER,
  });
  if (env.supabase) shutdown.add(startHostedLive(deps, env.supabase).stop);
  const exportSweep = startExportSweep({
    ...(own ? { sweepFiles: () => sweepFiles(connections.requests.pool, own.files) } : {}),
    db,
    remove: env.supabase ? fromHostedStorage(env.supabase) : fromOwnStorage(db),
    log,
  });
  shutdown.add(() => exportSweep.stop());
  return app;
}

/** Sign-in, data, stored files, functions and Realtime. `appOf` is asked for what answers the functions once it is there. */
function startOwnBackend(parts: SiteParts, appOf: () => Hono<HttpEnv>) {
  const { deps, connections, site, port, issuer, verifier, sandbox } = parts;
  const { env, providers } = deps;
  const { signIn, data } = connections;
  const { publishableKey, formerKeys } = publishableKeys(deps.vault);
  const known = new Set([publishableKey, ...formerKeys]);
  const verifyAccessToken = namingActor((token) => verifier.verify(token));
  const realtime = createRealtime({
    ...deps,
    ...connections.realtime,
    verifyAccessToken,
    isKey: (key) => known.has(key),
    socketIp: socketIpFinder(env.trustProxy),
  });
  port.upgradeBy(realtime.upgrade);
  shutdown.add(realtime.stop);
  shutdown.add(startOwnLive(deps, realtime.audience).stop);
  // The sandbox's text messages reach somebody only where there is a mailbox.
  const sms = env.twilio || outboxOf(env) ? providers.sms : undefined;
  const files = createFileStore(env.storageDir);
  const backend = createBackend({
    ...deps,
    db: signIn.db,
    pool: data.pool,
    verifyAccessToken,
    issuer,
    onEvent: authEventRecorder(deps.vault),
    onActor: nameActor,
    sendSms: sms && textSender(sms),
    allowedRedirects: site.origins,
    identityProviders: env.identityProviders.map((one) => ({ ...one, issuer: one.issuer ?? `${sandbox?.url}/oidc` })),
    allowedOrigins: site.origins,
    publishableKey,
    formerKeys,
    secretKey: env.secretKey,
    files,
    functions: productFunctions(appOf),
    realtime,
  });
  return { backend, files, publishableKey };
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
