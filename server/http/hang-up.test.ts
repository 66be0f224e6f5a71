import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { exportAccountEndpoint } from '#contract/account/account.ts';
import { exportAuditEndpoint, listAuditEndpoint } from '#contract/admin/audit.ts';
import { exportUsageEndpoint, getUsageEndpoint, listUsageRunsEndpoint } from '#contract/money/usage.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
let admin: TestUser;
let owner: pg.Client;
let url: string;

beforeAll(async () => {
  product = await startProduct({ worker: false });
  admin = await product.admin();
  url = await product.serve();
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

const period = '?from=2026-01-01&to=2026-01-31&money=real';

test.each([
  ['usage', `${getUsageEndpoint.path}${period}`, 'app.usage_days, app.usage_lists'],
  ['the runs of a period', `${listUsageRunsEndpoint.path}${period}`, 'app.runs'],
  ['the ledger as a file', `${exportUsageEndpoint.path}${period}`, 'app.paid_calls'],
  ['the audit log', listAuditEndpoint.path, 'app.audit_log'],
  ['the audit log as a file', `${exportAuditEndpoint.path}`, 'app.audit_log'],
  ['everything of one’s own', exportAccountEndpoint.path, 'public.lists'],
])('who hangs up on %s is not worked for any longer', async (_what, path, tables) => {
  await owner.query('begin');
  await owner.query(`lock table ${tables} in access exclusive mode`);
  try {
    const hangUp = new AbortController();
    const asked = fetch(`${url}${path}`, {
      headers: { authorization: await admin.authorization() },
      signal: hangUp.signal,
    }).then((answer) => answer.text());
    asked.catch(() => {});
    await vi.waitUntil(async () => (await waiting()) > 0, { timeout: 5_000 });
    hangUp.abort();
    await vi.waitUntil(async () => (await waiting()) === 0, { timeout: 2_000 });
  } finally {
    await owner.query('rollback');
  }
  const again = await fetch(`${url}${path}`, { headers: { authorization: await admin.authorization() } });
  expect(again.status).toBe(200);
  await again.text();
});
