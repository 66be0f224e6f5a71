import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod/mini';
import { type Connection, connect } from '#db/connection/client.ts';
import { type Sandbox, startSandbox } from '#sandbox/start-sandbox.ts';
import { eventually } from '#test/eventually.ts';
import { freshDatabase } from './databases/database.ts';
import { temporaryFolder } from './databases/postgres.ts';
import { buildListOf, readCalls, readLeads, readList, readRuns } from './lists.ts';
import { type ServerProcess, startServer } from './servers/server-process.ts';

const DOMAINS = 60;
const LATENCY_MS = 300;
/** Not a sandbox key: it reaches the sandbox of this test, whose meter outlives the server, through HUNTER_URL. */
const KEY = 'a-live-looking-hunter-key';

let sandbox: Sandbox;
let connection: Connection;
let env: Record<string, string>;
let folder: string;
let server: ServerProcess | undefined;

beforeAll(async () => {
  folder = temporaryFolder();
  sandbox = await startSandbox({ port: 0, host: '127.0.0.1', latencyMs: LATENCY_MS });
  const url = await freshDatabase();
  connection = connect(url);
  env = {
    DATA_DIR: folder,
    DATABASE_URL: url,
    ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    HUNTER_URL: `${sandbox.url}/hunter`,
    SANDBOX: 'on',
  };
});
afterAll(async () => {
  await server?.stop();
  await Promise.all([sandbox.close(), connection.db.destroy()]);
  rmSync(folder, { recursive: true, force: true });
});

test('kill -9 during an enrichment: after a restart the run ends, and every domain is charged once', async () => {
  const { db } = connection;
  server = startServer(env);
  const origin = await server.ready();
  const { call, userId } = await signIn(origin, 'owner@people.example');
  const saved = await call('/api/keys/test', { provider: 'hunter_io', apiKey: KEY, save: true });
  expect(saved).toMatchObject({ data: { valid: true, saved: true } });
  const sites = Array.from({ length: DOMAINS }, (_, index) => ({ website: `https://killed${index}.example/` }));
  const listId = await buildListOf(db, userId, sites, { sandbox: null });

  const request = call('/api/enrich/emails', { list_id: listId, steps: ['hunter'] }).catch(() => 'cut');
  /** Calls have been answered, and others have left so shortly ago that their answers cannot be there yet. */
  const inTheMiddle = async () => {
    const calls = await readCalls(db, userId);
    const underWay = calls.filter(
      ({ state, sent_at }) => state === 'sent' && Date.now() - (sent_at?.getTime() ?? 0) < LATENCY_MS / 3,
    );
    return calls.filter(({ state }) => state === 'answered').length > 15 && underWay.length > 0;
  };
  await vi.waitFor(async () => expect(await inTheMiddle()).toBe(true), { timeout: 15_000, interval: 20 });
  await server.stop('SIGKILL');
  expect(await request).toBe('cut');
  const before = await readCalls(db, userId);
  expect(before.filter((one) => one.state === 'sent').length).toBeGreaterThan(0);
  expect((await readRuns(db, userId))[0]?.state).toBe('running');

  server = startServer(env);
  await server.ready();
  const restarted = Date.now();
  await eventually(async () =>
    expect((await readCalls(db, userId)).some((one) => (one.sent_at?.getTime() ?? 0) > restarted)).toBe(true),
  );
  await vi.waitFor(async () => expect((await readRuns(db, userId))[0]?.state).toBe('completed'), {
    timeout: 30_000,
    interval: 100,
  });

  const calls = await readCalls(db, userId);
  expect(calls).toHaveLength(DOMAINS);
  expect(calls.every((one) => one.state === 'answered')).toBe(true);
  const usage = sandbox.meter.rows().find((row) => row.provider === 'hunter' && row.billedUnits > 0);
  expect(calls.filter((one) => one.cost_micros > 0)).toHaveLength(usage?.billedUnits ?? 0);
  expect(calls.reduce((sum, one) => sum + one.cost_micros, 0)).toBe(usage?.micros);
  // What had been answered before the kill was not asked again.
  const kept = before.filter((one) => one.state === 'answered').map((one) => one.id);
  expect(calls.filter((one) => kept.includes(one.id)).every((one) => one.attempts === 1)).toBe(true);
  const emails = (await readLeads(db, listId)).filter((lead) => lead.email).length;
  expect((await readRuns(db, userId))[0]?.totals).toMatchObject({ domainsDone: DOMAINS, emailsAdded: emails });
  expect(await readList(db, listId)).toMatchObject({ status: 'completed', tier2_complete: true });
}, 90_000);

type Call = (path: string, body: unknown) => Promise<unknown>;

const Config = z.object({ backendKey: z.string() });
const Mails = z.array(z.object({ text: z.string() })).check(z.length(1));
const Session = z.object({ access_token: z.string(), user: z.object({ id: z.string() }) });

/** Signs in by the code in the mailbox, as a person would. */
async function signIn(origin: string, email: string): Promise<{ call: Call; userId: string }> {
  const json = async (path: string, body?: unknown, headers: Record<string, string> = {}): Promise<unknown> => {
    const response = await fetch(new URL(path, origin), {
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    return response.json();
  };
  const { backendKey: apikey } = Config.parse(await json('/config.json'));
  await json('/auth/v1/otp', { email, create_user: true }, { apikey });
  const [mail] = await eventually(async () => Mails.parse(await json('/outbox.json')));
  const token = /\b\d{6}\b/.exec(mail?.text ?? '')?.[0];
  const session = Session.parse(await json('/auth/v1/verify', { type: 'email', email, token }, { apikey }));
  return {
    userId: session.user.id,
    call: (path, body) => json(path, body, { authorization: `Bearer ${session.access_token}` }),
  };
}
