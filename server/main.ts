import { existsSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { pino } from 'pino';
import { connect } from '#db/client.ts';
import { migrate } from '#db/migrate.ts';
import { createVault } from '#db/vault.ts';
import { type Env, publicUrlOf, readEnv } from './env.ts';
import { encryptionKeys } from './process/encryption-keys.ts';
import { greeting } from './process/greeting.ts';
import { listen } from './process/listen.ts';
import { openDatabase } from './process/open-database.ts';
import { createShutdown } from './process/shutdown.ts';

if (existsSync('.env')) process.loadEnvFile('.env');
const log = pino({ level: process.env.NODE_ENV === 'production' ? 'info' : 'warn' });
let starting: Promise<void> = Promise.resolve();
const shutdown = createShutdown(
  () => starting,
  (error) => log.error({ err: error }, 'a part did not stop'),
);

async function start(env: Env): Promise<void> {
  const database = await openDatabase(env);
  shutdown.add(database.stop);
  void database.lost.then(() => fail(new Error('PostgreSQL stopped and could not be started again.')));
  await migrate(database.url, { hosted: env.supabase !== undefined });
  createVault(encryptionKeys(env.encryptionKeys, env.dataDir));
  const { db } = connect(database.url, { onError: (error) => log.warn({ err: error }, 'lost a database connection') });
  shutdown.add(() => db.destroy());

  // The port is opened first, because the app needs to know its own address.
  let answer: RequestListener = (_request, response) => response.writeHead(503, { 'Retry-After': '1' }).end();
  const http = await listen({ ...env, listener: (request, response) => answer(request, response) });
  shutdown.add(http.stop);
  const publicUrl = publicUrlOf(env, http.port);
  const app = new Hono().get('/healthz', (c) => c.json({ status: 'ok' }));
  answer = getRequestListener(app.fetch);

  log.info({ port: http.port, role: env.role, database: database.where }, 'ready');
  console.log(greeting(env, publicUrl, database.where));
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
