import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AUTH_LIMITS } from '#backend/auth/kit/limits.ts';
import { freePort } from '#db/embedded/free-port.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { folderForFile } from '#test/runner/after-file.ts';
import { type MailServer, startMailServer } from '#test/servers/mail-server.ts';
import { type ServerProcess, startServer } from '#test/servers/server-process.ts';

const SITE = 'https://leads.example';
const EVIL = 'https://evil.example';
let server: ServerProcess;
let url: string;
let apikey: string;
let mails: MailServer;

beforeAll(async () => {
  const port = await freePort();
  mails = await startMailServer();
  server = startServer({
    PORT: String(port),
    DATABASE_URL: await freshDatabase('empty'),
    DATA_DIR: folderForFile(),
    ENCRYPTION_KEYS: Buffer.alloc(32, 1).toString('base64'),
    PUBLIC_URL: SITE,
    // Keeps no mail at a public address.
    SMTP_URL: mails.url,
    ADMIN_EMAILS: 'first@people.example',
    SANDBOX: 'on',
  });
  await server.ready();
  url = `http://127.0.0.1:${port}`;
  apikey = ((await (await fetch(`${url}/config.json`)).json()) as { backendKey: string }).backendKey;
}, 60_000);
afterAll(async () => {
  await server.stop();
  await mails.close();
});

/** fetch() chooses some headers itself. */
async function send(
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string; agent?: Agent } = {},
) {
  const { method = 'GET', headers = {}, body, agent } = options;
  const request = httpRequest(`${url}${path}`, {
    method,
    headers: { apikey, ...headers },
    ...(agent ? { agent } : {}),
  });
  request.end(body);
  const [response] = await once(request, 'response');
  let text = '';
  for await (const part of response.setEncoding('utf8')) text += part;
  return { status: response.statusCode as number, headers: response.headers as Record<string, string>, text };
}
const json = { 'content-type': 'application/json' };
const ROOMS = ['/api/nowhere', '/auth/v1/nowhere', '/rest/v1/a/b/c'];
/** How each room says that something is wrong. */
const shapeOf = (path: string) => {
  if (path.startsWith('/api'))
    return { success: false, error: expect.any(String), message: expect.any(String), requestId: expect.any(String) };
  if (path.startsWith('/auth'))
    return { code: expect.any(Number), error_code: expect.any(String), msg: expect.any(String) };
  return expect.objectContaining({ message: expect.any(String) });
};

test.each(['/', '/healthz', '/auth/v1/nowhere'])('%s carries every header that protects a page', async (path) => {
  const { headers } = await send(path);
  const policy = headers['content-security-policy'] ?? '';
  expect(/script-src [^;]*/.exec(policy)?.[0]).not.toMatch(/unsafe|\*|http|data:/);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("object-src 'none'");
  expect(policy).toContain("base-uri 'none'");
  expect(headers).toMatchObject({
    'strict-transport-security': expect.stringContaining('max-age='),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': expect.stringContaining('camera=()'),
  });
  expect(headers['x-powered-by']).toBeUndefined();
});

test.each(['/config.json', '/api/nowhere', '/rest/v1/a/b/c'])(
  '%s can do nothing when it is opened as a page',
  async (path) => {
    const { headers } = await send(path);
    expect(headers).toMatchObject({
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'strict-transport-security': expect.stringContaining('max-age='),
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
  },
);

describe.each(ROOMS)('%s', (path) => {
  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])(
    '%s answers JSON, never the page',
    async (method) => {
      const answer = await send(path, { method });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.headers['content-type']).toContain('application/json');
      expect(JSON.parse(answer.text)).toEqual(shapeOf(path));
    },
  );

  test('opens to no other site', async () => {
    for (const method of ['GET', 'OPTIONS']) {
      const { headers } = await send(path, {
        method,
        headers: { origin: EVIL, 'access-control-request-method': 'POST' },
      });
      expect(headers['access-control-allow-origin']).toBeUndefined();
      expect(headers['access-control-allow-credentials']).toBeUndefined();
    }
  });
});

test('a known path with another method says which it answers', async () => {
  const { status, headers } = await send('/api/keys', { method: 'PATCH' });
  expect(status).toBe(405);
  expect(headers.allow).toBe('DELETE, GET');
});

describe('bodies', () => {
  const PATHS = ['/api/auth/precheck', '/auth/v1/otp', '/rest/v1/lists'];

  test.each(PATHS)('%s: too large, announced or in pieces', async (path) => {
    const big = JSON.stringify({ email: 'x'.repeat(1_100_000) });
    const announced = await send(path, {
      method: 'POST',
      headers: { ...json, 'content-length': String(big.length) },
      body: big,
    });
    const pieces = await send(path, {
      method: 'POST',
      headers: { ...json, 'transfer-encoding': 'chunked' },
      body: big,
    });
    for (const answer of [announced, pieces]) {
      expect(answer.status).toBe(413);
      expect(JSON.parse(answer.text)).toEqual(shapeOf(path));
    }
  });

  // Proxies send the requests of all people over a few connections.
  test.each([
    ['/api/nowhere', 'POST', json, 404],
    ['/api/usage', 'DELETE', json, 405],
    ['/api/enrich/emails', 'POST', json, 401],
    ['/api/auth/precheck', 'POST', { 'content-type': 'text/csv' }, 415],
    ['/api/imports', 'POST', { 'content-type': 'text/csv' }, 401],
    ['/auth/v1/nowhere', 'POST', json, 413],
    ['/rest/v1/lists', 'POST', { ...json, authorization: 'Bearer x' }, 401],
    ['/rest/v1/lists', 'POST', { 'content-type': 'text/csv' }, 415],
    ['/storage/v1/object/files/x', 'POST', { 'content-type': 'text/csv' }, 400],
    ['/realtime/v1/api/broadcast', 'POST', { ...json, authorization: 'Bearer x' }, 413],
    ['/functions/v1/keys', 'POST', json, 405],
    ['/login', 'POST', json, 404],
  ])('%s: one that is refused unread (%s %j) breaks no request behind it', async (path, method, headers, status) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const body = 'x'.repeat(900_000);
    // Node announces no length of its own for a DELETE.
    const announced = { ...headers, 'content-length': `${body.length}` };
    const refused = await send(path, { method, headers: announced, body, agent });
    expect(refused.status).toBe(status);
    const next = { method: 'POST', headers: json, body: '{"email":"who"}', agent };
    expect((await send('/api/auth/precheck', next)).status).toBe(422);
    agent.destroy();
  });

  test('an area that is too large is refused with the number of points it may have', async () => {
    const big = JSON.stringify({ maxResults: 'all', area: 'x'.repeat(1_100_000) });
    const answer = await send('/api/search-leads/count', { method: 'POST', headers: json, body: big });
    expect(answer.status).toBe(413);
    expect(answer.text).toContain('An area has at most 10,000 points');
  });

  test.each(PATHS)('%s: nested a million deep', async (path) => {
    const answer = await send(path, { method: 'POST', headers: json, body: `{"email":${'['.repeat(50_000)}` });
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text)).toEqual(shapeOf(path));
  });

  test.each(PATHS)('%s: of another type', async (path) => {
    const answer = await send(path, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{}' });
    expect(answer.status).toBe(415);
    expect(JSON.parse(answer.text)).toEqual(shapeOf(path));
  });

  test.each([
    '{"__proto__":{"email":"a@people.example"}}',
    '{"constructor":{"prototype":{"email":"a@people.example"}}}',
  ])('%s is no address', async (body) => {
    expect((await send('/api/auth/precheck', { method: 'POST', headers: json, body })).status).toBe(422);
    expect((await send('/auth/v1/otp', { method: 'POST', headers: json, body })).status).toBe(400);
  });
});

describe('a forged Host', () => {
  const forged = {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'http',
    forwarded: 'host=evil.example',
  };

  test('is told the address of the site, and reaches no mail', async () => {
    const config = await send('/config.json', { headers: forged });
    expect(JSON.parse(config.text).backendUrl).toBe(SITE);
    const redirect = encodeURIComponent(`${EVIL}/steal`);
    const asked = await send(`/auth/v1/otp?redirect_to=${redirect}`, {
      method: 'POST',
      headers: { ...json, ...forged },
      body: '{"email":"first@people.example"}',
    });
    expect(asked.status).toBe(200);
    const mail = (mails.received.at(-1) ?? '').replaceAll('=\r\n', '');
    expect(mail).toContain(`${SITE}/auth/v1/verify?`);
    expect(mail).not.toContain('evil');
    expect((await send('/outbox.json')).text).not.toContain('first@people.example');
    const link = await send('/auth/v1/verify?token=none&type=magiclink', { headers: forged });
    expect(new URL(link.headers.location ?? '').origin).toBe(SITE);
  });

  test('that is no host at all is refused', async () => {
    expect((await send('/config.json', { headers: { host: 'a b/../c' } })).status).toBe(400);
  });

  test('and forwarded addresses of no one we trust are not believed', async () => {
    const ask = (n: number) =>
      send('/auth/v1/otp', {
        method: 'POST',
        headers: { ...json, 'x-forwarded-for': `198.51.100.${n}`, forwarded: `for=198.51.100.${n}` },
        body: '{}',
      });
    const { hits } = AUTH_LIMITS.asks[0];
    const answers = await Promise.all(Array.from({ length: hits + 1 }, (_, n) => ask(n)));
    expect(answers.map((one) => one.status)).toContain(429);
  });
});
