import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import { createBackendApp } from '#backend/app.ts';
import { createTokenVerifier } from '#backend/auth/tokens/access-token.ts';
import { createRealtime } from '#backend/realtime/realtime.ts';
import { createFileStore } from '#backend/storage/file-store.ts';
import { connect, type Db } from '#db/connection/client.ts';
import { assuming } from '#db/roles/server-role.ts';
import { createProviders } from '#providers/registry.ts';
import { createGate } from '#server/access/gate.ts';
import { ownAccounts } from '#server/accounts/own-accounts.ts';
import { createApp } from '#server/app.ts';
import { authEventRecorder } from '#server/audit/record-auth-event.ts';
import { createKeptLimits } from '#server/budgets/kept-limits.ts';
import type { Deps } from '#server/deps.ts';
import { productFunctions } from '#server/footing/product-functions.ts';
import { clientIpFinder } from '#server/http/client-ip.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { nameActor, namingActor } from '#server/http/request-scope.ts';
import type { Mail } from '#server/mail/mail.ts';
import { listen } from '#server/process/listen.ts';
import { siteAt } from '#server/process/site.ts';
import { temporaryFolder } from '#test/databases/postgres.ts';
import { startProduct } from '#test/product.ts';
import { stopAfterFile } from '#test/runner/after-file.ts';

export const SITE_URL = 'https://site.example';
export const PUBLISHABLE_KEY = 'sb_publishable_test';
export const ADMIN = 'admin@people.example';

export type Call = {
  token?: string | undefined;
  body?: unknown;
  headers?: Record<string, string>;
};
/** `sent` is the request as text: what an answer repeats of it gives nothing away. */
export type Answer = { status: number; text: string; headers: Headers; sent: string };

/** The whole server, with the real gate, sign-in and row-level security. No one works on runs. */
export type Site = {
  app: Hono<HttpEnv>;
  deps: Deps;
  db: Db;
  /** As the owner of the database, whom limits of people do not bind. */
  owner: Db;
  mails: Mail[];
  /** The lines that were logged. */
  log: string[];
  /** Where it answers over real HTTP. */
  url: string;
  /** One request in process, from an address of its own, so that no limit hides a hole. */
  call(method: string, path: string, call?: Call): Promise<Answer>;
  /** Lets an address in, as an invited person. */
  invite(email: string): Promise<void>;
};

/** `trustProxy`: whose X-Forwarded-For is believed, `hookSecrets`: who may send webhooks, as the variables have it. */
export async function startSite({
  trustProxy = ['loopback'],
  hookSecrets = [],
}: {
  trustProxy?: string[];
  hookSecrets?: string[];
} = {}): Promise<Site> {
  const product = await startProduct({ worker: false });
  const { db, pool } = connect(assuming(product.url, 'web'));
  const stranger = await startStranger();
  const folder = temporaryFolder();
  const mails: Mail[] = [];
  const verifier = createTokenVerifier({ db, issuer: `${SITE_URL}/auth/v1` });
  const site = siteAt(SITE_URL);
  const deps: Deps = {
    ...product.deps,
    env: { ...product.deps.env, hookSecrets },
    db,
    siteUrl: SITE_URL,
    clientIp: clientIpFinder(trustProxy),
    providers: createProviders({ urls: stranger.urls }),
    accounts: ownAccounts(db),
    gate: createGate({
      db,
      adminEmails: [ADMIN],
      strangersMayCome: true,
      keptLimits: createKeptLimits(product.deps.vault),
    }),
    sendMail: async (mail) => void mails.push(mail),
    verifyAccessToken: namingActor((token) => verifier.verify(token)),
  };
  const realtime = createRealtime({
    ...deps,
    pool,
    verifyAccessToken: (token) => verifier.verify(token),
    isKey: (key) => key === PUBLISHABLE_KEY,
    socketIp: () => '192.0.2.1',
  });
  const backend = createBackendApp({
    ...deps,
    // The schema stays as it is here.
    notifications: { on() {} },
    pool,
    slowPool: pool,
    realtime,
    issuer: `${SITE_URL}/auth/v1`,
    onEvent: authEventRecorder(deps.vault),
    onActor: nameActor,
    allowedRedirects: site.origins,
    allowedOrigins: site.origins,
    publishableKey: PUBLISHABLE_KEY,
    files: createFileStore(folder),
    functions: productFunctions(() => app),
    verifyAccessToken: namingActor((token) => verifier.verify(token)),
  });
  const app: Hono<HttpEnv> = createApp({
    deps,
    backend,
    mailbox: undefined,
    config: {
      backendKey: PUBLISHABLE_KEY,
      sandbox: true,
      mailbox: false,
      supportUrl: 'mailto:support@fairlead.example',
    },
    backendUrlFor: site.backendUrlFor,
    webFolder: 'web',
  });
  const http = await listen({
    host: '127.0.0.1',
    port: 0,
    listener: getRequestListener(app.fetch),
    onUpgrade: realtime.upgrade,
  });
  stopAfterFile(async () => {
    await realtime.stop();
    await Promise.all([http.stop(), stranger.stop()]);
    rmSync(folder, { recursive: true });
    await db.destroy();
  });
  return {
    app,
    deps,
    db,
    owner: product.db,
    mails,
    log: product.log,
    url: `http://127.0.0.1:${http.port}`,
    call: (method, path, call) => callApp(app, method, path, call),
    async invite(email) {
      const expires_at = new Date(Date.now() + 3_600_000);
      await db.insertInto('app.invitations').values({ email, expires_at }).execute();
    },
  };
}

let callers = 0;

async function callApp(app: Hono<HttpEnv>, method: string, path: string, call: Call = {}): Promise<Answer> {
  callers += 1;
  const body =
    call.body === undefined ? undefined : typeof call.body === 'string' ? call.body : JSON.stringify(call.body);
  const response = await app.request(path, {
    method,
    headers: {
      apikey: PUBLISHABLE_KEY,
      'x-forwarded-for': `10.${(callers >> 16) & 255}.${(callers >> 8) & 255}.${callers & 255}`,
      ...(call.token === undefined ? {} : { authorization: `Bearer ${call.token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...call.headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  const { status, headers } = response;
  const text = await response.text();
  return { status, headers, text, sent: `${method} ${path} ${body ?? ''}` };
}

/** Stands for all providers: knows no one. */
async function startStranger() {
  const server = createServer((_request, response) => response.writeHead(401).end('{}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    urls: { google_places: url, hunter_io: url, searchbug: url, areaInsights: url, keap: { accounts: url, api: url } },
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
