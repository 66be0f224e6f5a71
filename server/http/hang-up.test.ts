import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { exportAccountEndpoint } from '#contract/account/account.ts';
import { exportAuditEndpoint, listAuditEndpoint } from '#contract/admin/audit.ts';
import { exportUsageEndpoint, getUsageEndpoint, listUsageRunsEndpoint } from '#contract/money/usage.ts';
import { buildListOf } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
let admin: TestUser;
let owner: pg.Client;
let url: string;
let listId: string;

beforeAll(async () => {
  product = await startProduct({ worker: false });
  admin = await product.admin();
  url = await product.serve();
  listId = await buildListOf(product.db, admin.id, [{ phone: '+1 217-555-0100' }]);
  owner = new pg.Client(product.url);
  await owner.connect();
});
afterAll(() => owner.end());

/** Statements that wait for the lock that the test holds. */
const waiting = async () => {
  const { rows } = await owner.query<{ waiting: number }>(
    `select count(*)::integer as waiting from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]?.waiting ?? 0;
};

/** Asks as the administrator. `what`: a path, with its method before it where that is not GET. */
async function ask(what: string, signal?: AbortSignal): Promise<Response> {
  const [method, path] = what.startsWith('POST ') ? ['POST', what.slice(5)] : ['GET', what];
  return fetch(`${url}${path.replace('LIST', listId)}`, {
    method,
    headers: { authorization: await admin.authorization(), 'content-type': 'application/json' },
    ...(method === 'POST' ? { body: '{}' } : {}),
    ...(signal ? { signal } : {}),
  });
}

const period = '?from=2026-01-01&to=2026-01-31&money=real';

test.each([
  ['usage', `${getUsageEndpoint.path}${period}`, 'app.usage_days, app.usage_lists'],
  ['the runs of a period', `${listUsageRunsEndpoint.path}${period}`, 'app.runs'],
  ['the ledger as a file', `${exportUsageEndpoint.path}${period}`, 'app.paid_calls'],
  ['the audit log', listAuditEndpoint.path, 'app.audit_log'],
  ['the audit log as a file', `${exportAuditEndpoint.path}`, 'app.audit_log'],
  ['everything of one’s own', exportAccountEndpoint.path, 'public.lists'],
  ['the leads of a list', `/api/lists/LIST/leads?q=x`, 'public.leads'],
  ['counts of leads', `POST /api/lists/LIST/leads/counts`, 'public.leads'],
  ['verdicts of a list', `/api/lists/LIST/callability`, 'public.leads'],
  ['the suppression list', '/api/suppressions', 'app.suppressions'],
])('who hangs up on %s is not worked for any longer', async (_what, path, tables) => {
  await owner.query('begin');
  await owner.query(`lock table ${tables} in access exclusive mode`);
  try {
    const hangUp = new AbortController();
    const asked = ask(path, hangUp.signal).then((answer) => answer.text());
    asked.catch(() => {});
    await vi.waitUntil(async () => (await waiting()) > 0, { timeout: 5_000 });
    hangUp.abort();
    await vi.waitUntil(async () => (await waiting()) === 0, { timeout: 2_000 });
  } finally {
    await owner.query('rollback');
  }
  const again = await ask(path);
  expect(again.status).toBe(200);
  await again.text();
});

test('a read that takes too long is stopped, and says so', async () => {
  await owner.query('begin');
  await owner.query('lock table public.leads in access exclusive mode');
  try {
    const answer = await ask('/api/lists/LIST/leads?q=x');
    expect(answer.status).toBe(503);
    expect(answer.headers.get('Retry-After')).toBe('5');
    expect(await answer.json()).toMatchObject({ error: 'UNAVAILABLE', message: expect.stringContaining('too long') });
    expect(await waiting()).toBe(0);
  } finally {
    await owner.query('rollback');
  }
});

test('reads by POST are compressed like those by GET, and sign-in is not', async () => {
  const ids = await buildListOf(
    product.db,
    admin.id,
    Array.from({ length: 100 }, (_, at) => ({ business_name: `Invented ${at}`.padEnd(60, 'x') })),
  );
  const read = await ask(`/api/lists/${ids}/leads?limit=100`);
  expect(read.headers.get('Content-Encoding')).toBeTruthy();
  const counted = await ask('POST /api/lists/LIST/leads/counts');
  expect(counted.headers.get('Vary')).toContain('Accept-Encoding');
  const signIn = await fetch(`${url}/auth/v1/.well-known/jwks.json`);
  expect(signIn.headers.get('Vary') ?? '').not.toContain('Accept-Encoding');
});
