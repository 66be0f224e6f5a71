import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod/mini';
import { endpoint, looseId, looseNumber } from '#contract/endpoint.ts';
import { ErrorBody } from '#contract/errors.ts';
import { connect } from '#db/connection/client.ts';
import { createVault } from '#db/sealed/vault.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/lib/app-error.ts';
import { createLog } from '#server/process/log.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { clientIpFinder } from './client-ip.ts';
import { answerError } from './error-handler.ts';
import type { HttpEnv } from './http-env.ts';
import { requestLog } from './logs/request-log.ts';
import { publicRoute, route } from './route.ts';

const lines: string[] = [];
const log = createLog({ level: 'info', destination: { write: (line: string) => void lines.push(line) } });
const { db } = connect(await freshDatabase());
afterAll(() => db.destroy());
const vault = createVault([Buffer.alloc(32, 1).toString('base64')]);
// These routes touch nothing else of what verbs get.
const deps = {
  log,
  db,
  vault,
  clientIp: clientIpFinder([]),
  verifyAccessToken: async () => undefined,
} as unknown as Deps;

const add = endpoint({
  method: 'POST',
  path: '/api/add',
  access: 'public',
  body: z.object({
    a: looseNumber,
    b: looseNumber,
    id: z.optional(looseId),
    note: z.optional(z.string().check(z.minLength(3))),
    unit: z.optional(z.enum(['m', 'km'], { error: 'unit must be m or km.' })),
  }),
  data: z.object({ sum: z.number() }),
});
const fail = endpoint({
  method: 'GET',
  path: '/api/fail',
  access: 'public',
  query: z.object({ how: z.string() }),
  data: z.object({}),
});
const mine = endpoint({ method: 'GET', path: '/api/mine', data: z.object({}) });

const app = new Hono<HttpEnv>();
app.onError(answerError);
app.use(requestLog(log));
app.use(bodyLimit({ maxSize: 1_000, onError: (c) => answerError(new AppError('PAYLOAD_TOO_LARGE', 'Too large.'), c) }));
publicRoute(app, deps, add, async (_ctx, { body }) => ({ sum: body.a + body.b, secret: 'not in the contract' }));
publicRoute(app, deps, fail, async (_ctx, { query }) => {
  if (query.how === 'known') throw new AppError('RATE_LIMITED', 'Slow down.', { retryAfterSeconds: 1.2 });
  if (query.how === 'database') throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  throw new Error('password=hunter2');
});
route(app, deps, mine, async () => ({}));

const post = (body: string, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
  app.request('/api/add', { method: 'POST', headers, body });
const errorOf = async (response: Response) => ErrorBody.parse(await response.json());

test('answers what the contract names and nothing else', async () => {
  const response = await post('{"a":1,"b":"2"}');
  expect(await response.json()).toEqual({ success: true, data: { sum: 3 } });
});

test.each([
  ['not JSON', '{', { 'content-type': 'application/json' }, 400, 'BAD_REQUEST'],
  ['another type', 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['no type', '{"a":1,"b":2}', { 'content-type': '' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['a field missing', '{"a":1}', { 'content-type': 'application/json' }, 422, 'VALIDATION_FAILED'],
  ['null', 'null', { 'content-type': 'application/json' }, 422, 'VALIDATION_FAILED'],
  ['too large', `{"a":"${'1'.repeat(2_000)}","b":1}`, { 'content-type': 'application/json' }, 413, 'PAYLOAD_TOO_LARGE'],
])('refuses %s in one shape', async (_name, body, headers, status, code) => {
  const response = await post(body, headers);
  expect(response.status).toBe(status);
  const refused = await errorOf(response);
  expect(refused).toMatchObject({ success: false, error: code });
  expect(refused.requestId).toBe(response.headers.get('x-request-id'));
});

test.each([
  ['{"a":1,"b":2,"note":5}', 'note: Expected string, received number'],
  ['{"a":1,"b":2,"note":"ab"}', 'note: String must contain at least 3 character(s)'],
  ['{"a":1,"b":2,"id":null}', 'id: Invalid input'],
  ['{"a":1,"b":2,"unit":"ft"}', 'unit must be m or km.'],
  ['null', 'Expected object, received null'],
])('says what is wrong with %s', async (body, message) => {
  expect(await errorOf(await post(body))).toMatchObject({ message });
});

test('says that something is missing', async () => {
  expect(await errorOf(await app.request('/api/fail'))).toMatchObject({ message: 'how: Required' });
});

test('an unknown error is logged and never shown', async () => {
  const response = await app.request('/api/fail?how=unknown');
  expect(response.status).toBe(500);
  const refused = await errorOf(response);
  expect(JSON.stringify(refused)).not.toContain('hunter2');
  expect(lines.some((line) => line.includes(refused.requestId ?? 'none') && line.includes('hunter2'))).toBe(true);
});

test('an id that came with the request is no id of ours: it stands apart in one line, unless it could break a log', async () => {
  const idOf = async (given: string) =>
    (await app.request('/api/mine', { headers: { 'x-request-id': given } })).headers.get('x-request-id');
  const ids = new Set<string | null>();
  const given = ['proxy-4711.a_b', 'proxy-4711.a_b', 'short', 'x'.repeat(65), 'with "quotes"', '../../../etc'];
  for (const one of given) ids.add(await idOf(one));
  expect(ids.size).toBe(given.length);
  for (const id of ids) expect(id).toMatch(/^[\da-f-]{36}$/);
  const kept = lines.map((line) => JSON.parse(line)).filter((line) => line.clientRequestId);
  expect(kept.map((line) => [line.clientRequestId, line.msg])).toEqual([
    ['proxy-4711.a_b', 'request'],
    ['proxy-4711.a_b', 'request'],
  ]);
  expect(lines.some((line) => JSON.parse(line).requestId === 'proxy-4711.a_b')).toBe(false);
});

test('a lost database is 503 and worth another try', async () => {
  const response = await app.request('/api/fail?how=database');
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('5');
});

test('a known refusal keeps its words and its pause', async () => {
  const response = await app.request('/api/fail?how=known');
  expect(response.status).toBe(429);
  expect(response.headers.get('retry-after')).toBe('2');
  expect(await errorOf(response)).toMatchObject({ error: 'RATE_LIMITED', message: 'Slow down.' });
});

test('a user route refuses without a token, and a public one cannot be served to users by mistake', async () => {
  expect((await app.request('/api/mine')).status).toBe(401);
  expect((await app.request('/api/mine', { headers: { authorization: 'Bearer x' } })).status).toBe(401);
  expect(() => publicRoute(new Hono<HttpEnv>(), deps, mine, async () => ({}))).toThrow('not public');
});

test('someone who goes away while sending is no failure of the database', async () => {
  const body = new ReadableStream({
    start: (controller) => controller.error(Object.assign(new Error('aborted'), { code: 'ECONNRESET' })),
  });
  const headers = { 'content-type': 'application/json' };
  const response = await app.request('/api/add', { method: 'POST', headers, body, duplex: 'half' });
  expect([response.status, ErrorBody.parse(await response.json()).error]).toEqual([400, 'BAD_REQUEST']);
});
