import { existsSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import { createBackend } from '#backend/app.ts';
import { createTokenVerifier } from '#backend/auth/access-token.ts';
import { REALTIME_CHANNELS } from '#backend/realtime/options.ts';
import { createRealtime, type Realtime } from '#backend/realtime/realtime.ts';
import { createFileStore } from '#backend/storage/file-store.ts';
import { sweepFiles } from '#backend/storage/sweep-files.ts';
import { createVault } from '#db/vault.ts';
import { createProviders } from '#providers/registry.ts';
import { startSandbox } from '#sandbox/start-sandbox.ts';
import { hostedAccounts } from './accounts/hosted/hosted-accounts.ts';
import { createHostedVerifier } from './accounts/hosted/hosted-verifier.ts';
import { ownAccounts } from './accounts/own-accounts.ts';
import { createApp } from './app.ts';
import { authEventRecorder } from './audit/record-auth-event.ts';
import { createCrmAccess } from './crm/crm-access.ts';
import { createCrmDesk } from './crm/crm-desk.ts';
import type { Deps } from './deps.ts';
import { type Env, providerUrlsOf, publicUrlOf, readEnv, strangersMayCome } from './env.ts';
import { createGate } from './features/access/gate.ts';
import { fromHostedStorage, fromOwnStorage } from './features/exports/kept-exports.ts';
import { startExportSweep } from './features/exports/start-export-sweep.ts';
import { LIVE_CHANNELS } from './features/live/channels.ts';
import { startHostedLive } from './features/live/start-hosted-live.ts';
import { startOwnLive } from './features/live/start-own-live.ts';
import { createMailbox } from './features/mailbox/mailbox.ts';
import { productFunctions } from './functions.ts';
import { clientIpFinder, socketIpFinder } from './http/client-ip.ts';
import type { HttpEnv } from './http/http-env.ts';
import { createMailer } from './mail/mailer.ts';
import { keepText, textSender } from './mail/text-message.ts';
import { createMetrics } from './metrics/metrics.ts';
import { createDrain } from './process/drain.ts';
import { followEncryptionKeys } from './process/encryption-keys.ts';
import { greeting } from './process/greeting.ts';
import { listen, type StopPatience } from './process/listen.ts';
import { createLog } from './process/log.ts';
import { openConnections } from './process/open-connections.ts';
import { openDatabase } from './process/open-database.ts';
import { prepareDatabase } from './process/prepare-database.ts';
import { serveMetrics } from './process/serve-metrics.ts';
import { createShutdown } from './process/shutdown.ts';
import { siteAt } from './process/site.ts';
import { RUN_CHANNELS } from './runs/channels.ts';
import { startWork } from './start-work.ts';
import { createWorkerApp } from './worker-app.ts';

/** Where other processes serve meanwhile, nobody waits for this one: it can let downloads on slow lines end. */
const PATIENCE: StopPatience = { silentMs: 25_000, longestMs: 120_000 };
const PATIENCE_ALONE: StopPatience = { silentMs: 5_000, longestMs: 5_000 };
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
  const { db, pool, signIn, notifications, queue } = await openConnections(
    database,
    env.role === 'worker' ? 'worker' : 'web',
    { channels: [...RUN_CHANNELS, ...LIVE_CHANNELS, ...REALTIME_CHANNELS, 'pgrst'], shutdown, log },
  );
  const sandbox = env.sandbox
    ? await startSandbox({
        port: 0,
        host: '127.0.0.1',
        placesCsv: env.sandboxPlacesCsv,
        onText: (text) =>
          void keepText(outboxDir ?? '', text).catch((error) =>
            log.warn({ err: error }, 'could not keep a text message'),
          ),
      })
    : undefined;
  if (sandbox) shutdown.add(() => sandbox.close());

  // The port is opened first, because the app needs to know its own address.
  let answer: RequestListener = (_request, response) => response.writeHead(503, { 'Retry-After': '1' }).end();
  let realtime: Realtime | undefined;
  const drain = createDrain(env.drainSeconds);
  const patience = env.databaseUrl ? PATIENCE : PATIENCE_ALONE;
  const stopping = new AbortController();
  const http = await listen({
    ...env,
    listener: drain.through((request, response) => answer(request, response)),
    onUpgrade: (request, socket, head) => (realtime ? realtime.upgrade(request, socket, head) : socket.destroy()),
    patience,
  });
  const site = siteAt(publicUrlOf(env, http.port));

  const outboxDir = env.smtpUrl || env.supabase || !env.sandbox ? undefined : join(env.dataDir, 'outbox');
  const mailer = createMailer({
    smtpUrl: env.smtpUrl,
    from: env.mailFrom ?? `Fairlead <no-reply@${new URL(site.url).hostname}>`,
    outboxDir,
    onMail: (mail) => console.log(`Mail for ${mail.to}: ${mail.subject}\n  ${mail.links[0] ?? ''}`),
  });
  shutdown.add(async () => mailer.close());
  // Requests under way may still have to mail something.
  shutdown.add(async () => {
    const stopped = http.stop();
    // Only now: whoever is sent on must not come back to this process.
    stopping.abort();
    await stopped;
  }, patience.longestMs);

  const metrics = createMetrics({ db, pool });
  if (env.metricsPort !== undefined) shutdown.add((await serveMetrics(metrics, env.metricsPort)).stop);
  const providers = createProviders({ urls: providerUrlsOf(env), twilio: env.twilio, sandboxUrl: sandbox?.url });
  // The sandbox's text messages reach somebody only where there is a mailbox.
  const sms = env.twilio || outboxDir ? providers.sms : undefined;
  const crm = createCrmDesk({ db: signIn.db, vault, providers, log });
  const gate = createGate({
    db: signIn.db,
    adminEmails: env.adminEmails,
    strangersMayCome: strangersMayCome(env),
    crm: createCrmAccess({ db: signIn.db, log, crm }),
    crmGraceHours: env.crmGraceHours,
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
    stopping: stopping.signal,
    crm,
    gate,
    accounts,
    sendMail: (mail) => mailer.send(mail),
    verifyAccessToken: env.supabase ? createHostedVerifier(env.supabase) : (token) => verifier.verify(token),
  };

  const [publishableKey = '', ...formerKeys] = vault
    .fingerprints('publishable key')
    .map((print) => `sb_publishable_${print.slice(0, 32)}`);
  const files = createFileStore(env.storageDir);
  if (!env.supabase && env.role !== 'worker') {
    const keys = new Set([publishableKey, ...formerKeys]);
    realtime = createRealtime({
      ...deps,
      pool,
      verifyAccessToken: (token) => verifier.verify(token),
      isKey: (key) => keys.has(key),
      socketIp: socketIpFinder(env.trustProxy),
    });
    shutdown.add(realtime.stop);
    shutdown.add(startOwnLive(deps, realtime.audience).stop);
  }
  const backend = env.supabase
    ? undefined
    : createBackend({
        ...deps,
        db: signIn.db,
        pool,
        verifyAccessToken: (token) => verifier.verify(token),
        issuer,
        onEvent: authEventRecorder(vault),
        sendSms: sms && textSender(sms),
        allowedRedirects: site.origins,
        identityProviders: env.identityProviders.map((one) => ({
          ...one,
          issuer: one.issuer ?? `${sandbox?.url}/oidc`,
        })),
        allowedOrigins: site.origins,
        publishableKey,
        formerKeys,
        secretKey: env.secretKey,
        files,
        functions: productFunctions(() => app),
        ...(realtime ? { realtime } : {}),
      });
  const app: Hono<HttpEnv> = createApp({
    deps,
    backend,
    mailbox: outboxDir ? createMailbox({ outboxDir }) : undefined,
    config: {
      backendKey: env.supabase?.publishableKey ?? publishableKey,
      sandbox: env.sandbox,
      mailbox: outboxDir !== undefined,
      supportUrl: env.supportUrl,
    },
    backendUrlFor: (opened) => env.supabase?.url ?? site.backendUrlFor(opened),
    webFolder: WEB_FOLDER,
  });
  if (env.supabase && env.role !== 'worker') shutdown.add(startHostedLive(deps, env.supabase).stop);
  if (env.role !== 'worker') {
    const remove = env.supabase ? fromHostedStorage(env.supabase) : fromOwnStorage(db);
    const exportSweep = startExportSweep({
      ...(env.supabase ? {} : { sweepFiles: () => sweepFiles(pool, files) }),
      db,
      remove,
      log,
    });
    shutdown.add(() => exportSweep.stop());
  }
  answer = getRequestListener((env.role === 'worker' ? createWorkerApp(deps) : app).fetch);

  if (env.role !== 'web') await startWork(deps, shutdown);
  shutdown.add(() => drain.begin(), env.drainSeconds * 1_000);
  log.info({ port: http.port, role: env.role, database: database.where }, 'ready');
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
