import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '#sandbox/start-sandbox.ts';

type Email = { type: string; position: string | null; value: string; verification: { status: string | null } };
type Body = { data: { emails: Email[] }; errors?: unknown };

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, host: '127.0.0.1' });
});
afterAll(() => sandbox.close());

async function get(path: string, headers: Record<string, string> = { 'x-api-key': 'sandbox' }) {
  const response = await fetch(`${sandbox.url}/hunter/v2${path}`, { headers });
  return { status: response.status, body: (await response.json()) as Body };
}

test('the key may come in either header or in the query, and must come', async () => {
  expect((await get('/account', { authorization: 'Bearer sandbox' })).status).toBe(200);
  expect((await get('/account?api_key=sandbox', {})).status).toBe(200);
  expect(await get('/account', {})).toMatchObject({ status: 401, body: { errors: [{ code: 401 }] } });
});

test('the account states credits and when they renew', async () => {
  expect((await get('/account')).body.data).toMatchObject({
    reset_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    requests: { credits: { used: 9.5, available: 2000 } },
  });
});

test('a domain search has the documented shape, and is the same every time', async () => {
  const { status, body } = await get('/domain-search?domain=tanburyroofing.example&limit=10');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    data: { domain: 'tanburyroofing.example', emails: expect.any(Array) },
    meta: { limit: 10, offset: 0 },
  });
  for (const email of body.data.emails) {
    expect(Object.keys(email).sort()).toEqual([
      'confidence',
      'department',
      'first_name',
      'last_name',
      'linkedin',
      'phone_number',
      'position',
      'seniority',
      'sources',
      'twitter',
      'type',
      'value',
      'verification',
    ]);
  }
  expect((await get('/domain-search?domain=tanburyroofing.example&limit=10')).body).toEqual(body);
});

test('over many domains: up to six addresses, owners, generic ones, every verification, about a quarter empty', async () => {
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) => get(`/domain-search?domain=firm${index}.example`)),
  );
  const found: { type: string; position: string | null; value: string; verification: { status: string | null } }[][] =
    answers.map(({ body }) => body.data.emails);
  const emails = found.flat();
  expect(Math.max(...found.map((list) => list.length))).toBeLessThanOrEqual(6);
  const misses = found.filter((list) => list.length === 0).length;
  expect(misses).toBeGreaterThan(30);
  expect(misses).toBeLessThan(75);
  expect(new Set(emails.map(({ verification }) => verification.status))).toEqual(
    new Set(['valid', 'accept_all', 'unknown', 'invalid', null]),
  );
  expect(new Set(emails.map(({ type }) => type))).toEqual(new Set(['personal', 'generic']));
  expect(emails.some(({ position }) => position === 'Owner')).toBe(true);
  for (const list of found) expect(new Set(list.map(({ value }) => value)).size).toBe(list.length);
});

test.each([
  ['/domain-search', 'wrong_params'],
  ['/domain-search?domain=no%20domain', 'invalid_domain'],
  ['/domain-search?domain=a.example&limit=101', 'pagination_error'],
  ['/domain-search?domain=a.example&limit=x', 'pagination_error'],
  ['/domain-search?domain=a.example&offset=-1', 'pagination_error'],
])('%s is refused as %s', async (path, id) => {
  expect(await get(path)).toMatchObject({
    status: 400,
    body: { errors: [{ id, code: 400, details: expect.any(String) }] },
  });
});
