import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { deleteKeyEndpoint } from '#contract/account/api-keys.ts';
import { exportAuditEndpoint, listAuditEndpoint } from '#contract/admin/audit.ts';
import { inviteUserEndpoint, setUserRoleEndpoint } from '#contract/admin/users.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
let admin: TestUser;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  admin = await product.admin();
});

const lines = async (query: Record<string, string> = {}) =>
  (await admin.call(listAuditEndpoint, undefined, query)).items;
const add = (rows: { action: string; at?: Date; target?: string; actor_email?: string }[]) =>
  product.db.insertInto('app.audit_log').values(rows).execute();

test('only administrators read it, as a page or as a file', async () => {
  const user = await product.user();
  for (const { path } of [listAuditEndpoint, exportAuditEndpoint]) {
    expect((await user.get(path)).status).toBe(403);
    expect((await product.request(path)).status).toBe(401);
  }
});

test('an act names who, what, whom, from where and in which request', async () => {
  const user = await product.user('ann');
  await admin.call(setUserRoleEndpoint, { user_id: user.id, role: 'admin' });
  const [line] = await lines({ target: user.email });
  expect(line).toMatchObject({
    actor: { id: admin.id, email: admin.email },
    action: 'user.role_changed',
    target: user.id,
    targetEmail: user.email,
    details: { role: 'admin' },
    ip: '127.0.0.1',
    requestId: expect.stringMatching(/.{8,}/),
  });
});

test('a key is known by its last four characters, its owner by their id', async () => {
  const user = await product.user('kim');
  await user.connect('hunter_io', 'sandbox-very-secret-abcd');
  await user.call(deleteKeyEndpoint, { provider: 'hunter_io' });
  await user.call(deleteKeyEndpoint, { provider: 'hunter_io' });
  const found = await lines({ actor: 'kim-' });
  expect(found.map(({ action, target, details }) => [action, target, details])).toEqual([
    ['key.removed', 'hunter_io', { last_four: 'abcd' }],
    ['key.saved', 'hunter_io', { last_four: 'abcd', sandbox: true }],
  ]);
  const stored = await product.db.selectFrom('app.audit_log').selectAll().where('actor_id', '=', user.id).execute();
  expect(JSON.stringify(stored)).not.toMatch(/very-secret|kim-/);
  expect(found[0]?.actor).toEqual({ id: user.id, email: user.email });
});

describe('filters', () => {
  test.each(['%', '_', '\\', "'; drop table app.audit_log; --"])('%j means itself', async (text) => {
    await add([{ action: 'training.saved', target: `${text}x` }]);
    expect((await lines({ target: text })).map((line) => line.target)).toEqual([`${text}x`]);
    expect(await lines({ actor: text })).toEqual([]);
  });

  test('groups, actors whose account is gone, and times, together', async () => {
    const at = (day: number) => new Date(Date.UTC(2026, 2, day));
    await add(
      [1, 2, 3, 4].flatMap((day) => [
        { action: 'crm.connected', at: at(day), actor_email: 'Gone@people.example', target: `day ${day}` },
        { action: 'user.role_changed', at: at(day), actor_email: 'gone@people.example' },
      ]),
    );
    const query = { group: 'crm', actor: 'GONE@', from: '2026-03-02T00:00:00Z', to: '2026-03-04T01:00:00+01:00' };
    expect((await lines(query)).map((line) => line.target)).toEqual(['day 3', 'day 2']);
    expect((await lines({ ...query, group: 'training' })).length).toBe(0);
  });

  test.each([
    { group: 'everything' },
    { from: 'yesterday' },
    { from: '0000-01-01T00:00:00Z' },
    { to: '0001-01-01T00:00:00+01:00' },
    { to: '9999-12-31T23:59:59-01:00' },
    { before: '1 or 1=1' },
    { before: '-1' },
    { actor: 'x'.repeat(321) },
  ])('%o is refused', async (query) => {
    await expect(admin.call(listAuditEndpoint, undefined, query as Record<string, string>)).rejects.toMatchObject({
      status: 422,
      code: 'VALIDATION_FAILED',
    });
  });
});

test('pages of fifty follow each other without a gap, also of lines of one moment', async () => {
  const moment = new Date('2025-12-24T12:00:00Z');
  await add(Array.from({ length: 120 }, (_, index) => ({ action: 'crm.connected', at: moment, target: `p ${index}` })));
  const query = { target: 'p ' };
  const seen: number[] = [];
  const sizes: number[] = [];
  for (let before: string | null | undefined; before !== null; ) {
    const page = await admin.call(listAuditEndpoint, undefined, before ? { ...query, before } : query);
    seen.push(...page.items.map((line) => line.id));
    sizes.push(page.items.length);
    before = page.next;
  }
  expect(sizes).toEqual([50, 50, 20]);
  expect(seen).toEqual(seen.toSorted((a, b) => b - a));
  expect(new Set(seen).size).toBe(120);
});

test('the file has what the filter leaves, in words, and no formula; taking it is written down', async () => {
  const email = '=cmd@people.example';
  await admin.call(inviteUserEndpoint, { email: `x${email}` }).catch(() => undefined);
  await add([
    { action: 'access.refused', target: email },
    { action: 'later.version', target: '=1+1' },
  ]);
  const response = await admin.get(`${exportAuditEndpoint.path}?group=access&target=%3Dcmd`);
  expect(response.headers.get('content-disposition')).toMatch(/attachment; filename="fairlead-audit-.*\.csv"/);
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const bytes = Buffer.from(await response.arrayBuffer()).toString('utf8');
  const [head, ...rows] = bytes.trimEnd().split('\r\n');
  expect(head).toBe('\ufeffTime (UTC),Actor,Actor ID,Action,Code,Target,Target ID,Address,Details,Request ID');
  expect(rows).toHaveLength(1);
  expect(rows[0]).toContain(",Access refused,access.refused,'=cmd@people.example,,");
  expect((await lines())[0]).toMatchObject({
    action: 'audit.exported',
    actor: { id: admin.id },
    details: { group: 'access', target: '=cmd' },
  });
});

test('a file longer than what is read at a time has every line once', async () => {
  await sql`
    insert into app.audit_log (action, target, at)
    select 'training.saved', 'long ' || n, timestamptz '2025-06-01' + n % 7 * interval '1 day'
    from generate_series(1, 2500) as n`.execute(product.db);
  const text = await (await admin.get(`${exportAuditEndpoint.path}?target=long`)).text();
  const targets = [...text.matchAll(/,(long \d+),/g)].map((match) => match[1]);
  expect(targets).toHaveLength(2500);
  expect(new Set(targets).size).toBe(2500);
});
