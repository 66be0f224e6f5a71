import { randomBytes, randomUUID } from 'node:crypto';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { REALTIME_CHANNELS } from '#backend/realtime/options.ts';
import { createRealtime } from '#backend/realtime/realtime.ts';
import { addressOf } from '#contract/address.ts';
import type { BodyOf, DataOf, Endpoint } from '#contract/endpoint.ts';
import { ErrorBody } from '#contract/errors.ts';
import type { ProviderId } from '#contract/providers.ts';
import { connect, type Db } from '#db/connection/client.ts';
import { listen } from '#db/notifications.ts';
import { assuming } from '#db/roles/server-role.ts';
import { createVault } from '#db/sealed/vault.ts';
import { startQueue } from '#jobs/queue.ts';
import { createProviders } from '#providers/registry.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '#sandbox/start-sandbox.ts';
import type { AccessClaims } from '#server/accounts/access-claims.ts';
import { ownAccounts } from '#server/accounts/own-accounts.ts';
import { providerUrlsOf, readEnv } from '#server/config/env.ts';
import { createCrmDesk } from '#server/crm/crm-desk.ts';
import type { Deps } from '#server/deps.ts';
import { saveKey } from '#server/features/api-keys/save-key.ts';
import { startImporter } from '#server/features/imports/work/start-importer.ts';
import { clientIpFinder } from '#server/http/client-ip.ts';
import { answerError } from '#server/http/error-handler.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { requestLog } from '#server/http/logs/request-log.ts';
import { startOwnLive } from '#server/live/start-own-live.ts';
import type { Mail } from '#server/mail/mail.ts';
import { createMetrics } from '#server/metrics/metrics.ts';
import { createImporter } from '#server/open-data/load/importer.ts';
import { listen as serve } from '#server/process/listen.ts';
import { createLog } from '#server/process/log.ts';
import { startWorker, type Worker } from '#server/runs/worker.ts';
import { createWebsites } from '#server/websites/visit-websites.ts';
import { PRODUCT_CHANNELS } from '#server/wiring/channels.ts';
import { productRoutes } from '#server/wiring/product-routes.ts';
import { kinds } from '#server/wiring/run-kinds.ts';
import { freshDatabase } from './databases/database.ts';
import { folderForFile, stopAfterFile } from './runner/after-file.ts';

/** Someone signed in. */
export type TestUser = {
  id: string;
  email: string;
  /** Calls an endpoint; rejects with a Refusal. */
  call<E extends Endpoint>(endpoint: E, body?: BodyOf<E>, query?: Record<string, string>): Promise<DataOf<E>>;
  /** Asks for what is answered in no envelope. */
  get(path: string): Promise<Response>;
  /** The header of a request that is sent over real HTTP. */
  authorization(): Promise<string>;
  /** Stores a provider key without testing it. */
  connect(provider: ProviderId, apiKey: string): Promise<void>;
};

/** A refused call. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, body: ErrorBody) {
    super(body.message);
    this.status = status;
    this.code = body.error;
  }
}

/** One process: HTTP, and a worker unless it was asked for none. */
export type Process = {
  deps: Deps;
  /** The same with the rights of a worker: for what only a worker does. */
  workerDeps: Deps;
  /** What has been mailed. */
  mails: Mail[];
  worker: Worker | undefined;
  user(name?: string): Promise<TestUser>;
  admin(name?: string): Promise<TestUser>;
  as(user: { id: string; email: string }): TestUser;
  /** One request as it is, for what is more than an endpoint's answer. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Lets go of anyone who waits for what goes on elsewhere, as a process that stops. */
  sendOn(): void;
  /** Serves it over real HTTP, with Realtime, until it stops; answers its address. */
  serve(): Promise<string>;
  stop(): Promise<void>;
  /** Ends it as a kill would: nothing more reaches the database, nothing is given back. */
  crash(): Promise<void>;
};

export type Product = Process & {
  url: string;
  db: Db;
  sandbox: Sandbox;
  /** What real keys reach: simulated providers of their own, with a meter of their own. */
  real: Sandbox;
  /** What has been logged. */
  log: string[];
  /** One more process on the same database, reached at `url` when given. */
  process(options?: { worker?: boolean; url?: string }): Promise<Process>;
};

/** The encryption key of every product in this test file, and of servers that it starts on the same database. */
export const ENCRYPTION_KEY = randomBytes(32).toString('base64');

/** Fairlead's product API in this process, on a database and a sandbox of its own. Everything is stopped after the file. */
/** As a server has them where no pooler shares them. */
const OWN_SESSIONS = { keepsStatements: true };

export async function startProduct(
  options: { worker?: boolean } & Pick<
    SandboxOptions,
    'latencyMs' | 'placesCsv' | 'chance' | 'onVisit' | 'pageAt'
  > = {},
): Promise<Product> {
  const ownUrl = await freshDatabase();
  const [sandbox, real] = await Promise.all([
    startSandbox({ port: 0, host: '127.0.0.1', ...options }),
    startSandbox({ port: 0, host: '127.0.0.1', ...options }),
  ]);
  const log: string[] = [];
  const processes: Process[] = [];
  const another = async ({ worker = true, url = ownUrl }: { worker?: boolean; url?: string } = {}) => {
    const one = await startProcess(url, { sandbox, real }, log, worker);
    processes.push(one);
    return one;
  };
  const main = await another({ worker: options.worker ?? true });
  const owner = connect(ownUrl);
  stopAfterFile(async () => {
    await Promise.all(processes.map((one) => one.stop()));
    await owner.db.destroy();
    await Promise.all([sandbox.close(), real.close()]);
  });
  return { ...main, url: ownUrl, db: owner.db, sandbox, real, log, process: another };
}

async function startProcess(
  url: string,
  { sandbox, real }: Record<'sandbox' | 'real', Sandbox>,
  lines: string[],
  work: boolean,
): Promise<Process> {
  // Its halves have the rights that they have as processes of their own.
  const [webUrl, workerUrl] = [assuming(url, 'web'), assuming(url, 'worker')];
  const [{ db, pool }, forWorker] = [connect(webUrl, OWN_SESSIONS), connect(workerUrl, OWN_SESSIONS)];
  const notifications = await listen(workerUrl, [...PRODUCT_CHANNELS, ...REALTIME_CHANNELS, 'pgrst']);
  const [queue, workerQueue] = await Promise.all([startQueue(webUrl), work ? startQueue(workerUrl) : undefined]);
  const env = readEnv({
    SANDBOX: 'on',
    WEBSITES_URL: real.websites.url,
    DNS_SERVER: real.websites.dnsServer,
    GOOGLE_PLACES_URL: `${real.url}/google`,
    GOOGLE_AREA_INSIGHTS_URL: `${real.url}/google`,
    HUNTER_URL: `${real.url}/hunter`,
    SEARCHBUG_URL: `${real.url}/searchbug`,
    KEAP_ACCOUNTS_URL: `${real.url}/keap`,
    KEAP_API_URL: `${real.url}/keap`,
  });
  const mails: Mail[] = [];
  const log = createLog({ level: 'debug', destination: { write: (line: string) => void lines.push(line) } });
  const vault = createVault([ENCRYPTION_KEY]);
  const providers = createProviders({ urls: providerUrlsOf(env), sandboxUrl: sandbox.url });
  const stopping = new AbortController();
  const deps: Deps = {
    env,
    siteUrl: 'http://localhost:3000',
    db,
    vault,
    providers,
    websites: createWebsites({ env, siteUrl: 'http://localhost:3000', sandbox: sandbox.websites }),
    crm: createCrmDesk({ db, vault, providers, log }),
    importer: createImporter({ url: webUrl, folder: folderForFile(), log }),
    queue,
    notifications,
    log,
    metrics: createMetrics(),
    clientIp: clientIpFinder([]),
    stopping: stopping.signal,
    accounts: ownAccounts(db),
    gate: {
      decide: () => Promise.reject(new Error('No one signs in here.')),
      decideToMove: () => Promise.reject(new Error('No one signs in here.')),
      decideToStay: () => Promise.reject(new Error('No one signs in here.')),
      admit: () => Promise.reject(new Error('No one signs in here.')),
    },
    async sendMail(mail) {
      mails.push(mail);
    },
    verifyAccessToken: async (token) => readToken(token),
  };
  const workerDeps: Deps = {
    ...deps,
    db: forWorker.db,
    crm: createCrmDesk({ ...deps, db: forWorker.db }),
    queue: workerQueue ?? queue,
  };
  const app = new Hono<HttpEnv>();
  app.onError(answerError);
  app.use(requestLog(deps.log));
  productRoutes(app, deps);
  const worker = workerQueue ? await startWorker(workerDeps, kinds) : undefined;
  const importer = workerQueue ? startImporter(workerDeps) : undefined;
  const stops: (() => Promise<void>)[] = [];
  let ended = false;
  const as = (user: { id: string; email: string }) => testUser(app, deps, user);
  return {
    deps,
    workerDeps,
    mails,
    worker,
    as,
    request: async (path, init) => app.request(path, init),
    sendOn: () => stopping.abort(),
    async serve() {
      const realtime = createRealtime({
        db,
        pool,
        notifications,
        log,
        isKey: () => true,
        socketIp: () => '192.0.2.1',
        async verifyAccessToken(token) {
          const { userId, sessionId, aal } = readToken(token);
          const exp = Math.ceil(Date.now() / 1_000) + 3_600;
          return { userId, sessionId, claims: { sub: userId, role: 'authenticated', session_id: sessionId, aal, exp } };
        },
      });
      const http = await serve({
        host: '127.0.0.1',
        port: 0,
        listener: getRequestListener(app.fetch),
        onUpgrade: realtime.upgrade,
      });
      stops.push(startOwnLive(deps, realtime.audience).stop, realtime.stop, http.stop);
      return `http://127.0.0.1:${http.port}`;
    },
    user: async (name = 'user') => as(await createUser(db, name)),
    admin: async (name = 'admin') => as(await createUser(db, name, 'admin')),
    async stop() {
      if (ended) return;
      ended = true;
      await Promise.all([worker?.stop(), importer?.stop()]);
      for (const one of stops) await one();
      await Promise.all([queue.stop(), workerQueue?.stop(), notifications.stop()]);
      await Promise.all([db.destroy(), forWorker.db.destroy()]);
    },
    async crash() {
      ended = true;
      void importer?.stop();
      await Promise.all([notifications.stop(), pool.end(), forWorker.pool.end()]);
      await Promise.all([queue.stop(), workerQueue?.stop()]);
    },
  };
}

/** A token in these tests is the session and its owner in plain text. */
function readToken(token: string): AccessClaims {
  const [userId = '', sessionId = '', email = '', aal] = token.split('|');
  return { userId, sessionId, email, aal: aal === 'aal2' ? aal : 'aal1' };
}

async function createUser(db: Db, name: string, role = 'user'): Promise<{ id: string; email: string }> {
  const email = `${name}-${randomUUID().slice(0, 8)}@people.example`;
  const { id } = await db.insertInto('auth.users').values({ email }).returning('id').executeTakeFirstOrThrow();
  await db.insertInto('app.profiles').values({ user_id: id, email, role }).execute();
  return { id, email };
}

function testUser(app: Hono<HttpEnv>, deps: Deps, { id, email }: { id: string; email: string }): TestUser {
  let session: Promise<{ id: string }> | undefined;
  const authorization = async () => {
    session ??= deps.db.insertInto('auth.sessions').values({ user_id: id }).returning('id').executeTakeFirstOrThrow();
    return `Bearer ${id}|${(await session).id}|${email}`;
  };
  const request = async (method: string, path: string, body?: unknown) => {
    return app.request(path, {
      method,
      headers: { authorization: await authorization(), 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  };
  return {
    id,
    email,
    authorization,
    get: (path) => request('GET', path),
    async call(endpoint, body, query) {
      const path = addressOf(endpoint.path, query);
      const response = await request(endpoint.method, path, body);
      const answer: unknown = await response.json();
      if (!response.ok) throw new Refusal(response.status, ErrorBody.parse(answer));
      return (answer as { data: DataOf<typeof endpoint> }).data;
    },
    connect: (provider, apiKey) =>
      saveKey(
        {
          deps,
          user: { userId: id, sessionId: '', email, role: 'user', aal: 'aal1', isFresh: true },
          requestId: '',
          log: deps.log,
          signal: new AbortController().signal,
          ip: '',
        },
        provider,
        apiKey,
      ),
  };
}
