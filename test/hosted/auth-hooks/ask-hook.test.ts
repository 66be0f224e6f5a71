import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { freePort } from '#db/embedded/free-port.ts';
import { verifySignature } from '#server/features/hooks/verify-signature.ts';
import { askHook } from './ask-hook.ts';
import { type HookOptions, readHooks } from './hook-options.ts';
import { type Delivered, json, startHookServer } from './hook-server.ts';

const [KEY, OLD_KEY] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const secretOf = (key: Buffer) => `v1,whsec_${key.toString('base64')}`;
const EVENT = { user: { email: 'ann@people.example' } };

let server: Awaited<ReturnType<typeof startHookServer>>;
const logged: string[] = [];
const log = {
  info() {},
  error: (fields: object, message: string) => void logged.push(JSON.stringify([fields, message])),
};
beforeAll(async () => {
  server = await startHookServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.delivered = [];
  logged.length = 0;
});

const ask = ({ timeoutMs = 5_000, ...hook }: Partial<HookOptions> & { timeoutMs?: number } = {}) => {
  const beforeUserCreated: HookOptions = { uri: server.url, secrets: [secretOf(KEY), secretOf(OLD_KEY)], ...hook };
  const hooks = readHooks({ beforeUserCreated, timeoutMs, backoffMs: 1 });
  if (!hooks.beforeUserCreated) throw new Error('There is no hook');
  return askHook({ log }, hooks.beforeUserCreated, EVENT);
};
const answerWith = (status: number, body: string, headers: Record<string, string> = {}) => {
  server.answer = (_delivered: Delivered, response: ServerResponse) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body);
  };
};

test('a delivery is signed with each secret, so that the product knows it by any of them, and by no other', async () => {
  answerWith(200, '{"claims":{}}');
  expect(await ask()).toEqual({ claims: {} });
  const { headers, body } = server.delivered.at(-1) ?? { headers: {} as Delivered['headers'], body: '' };
  expect(JSON.parse(body)).toEqual(EVENT);
  const request = { header: (name: string) => String(headers[name]), body };
  for (const key of [KEY, OLD_KEY]) expect(verifySignature(request, [key])).toBe(headers['webhook-id']);
  expect(() => verifySignature(request, [Buffer.alloc(32, 3)])).toThrow('does not match');
  expect(() => verifySignature({ ...request, body: `${body} ` }, [KEY])).toThrow('does not match');
});

const allowed: [string, number, string, Record<string, string>][] = [
  ['an empty object', 200, '{}', {}],
  ['a charset', 202, '{}', { 'Content-Type': 'application/json; charset=utf-8' }],
  ['an error without a message, as in GoTrue', 200, '{"error":{"http_code":403}}', {}],
];
test.each(allowed)('%s allows it', async (_, status, body, headers) => {
  answerWith(status, body, headers);
  await ask();
  expect(server.delivered).toHaveLength(1);
});

test('204 without a word allows it', async () => {
  server.answer = (_, response) => void response.writeHead(204).end();
  expect(await ask()).toEqual({});
});

const unexpected = (message: string) => ({ status: 500, code: 'unexpected_failure', message });
const wrongType = (message: string) => ({ status: 400, code: 'hook_payload_invalid_content_type', message });
const INVALID = unexpected('Error unmarshaling JSON output.');
const TOO_LARGE = {
  status: 422,
  code: 'hook_payload_over_size_limit',
  message: 'Payload size exceeded size limit of 204800 bytes',
};
type Answer = [status: number, body: string, headers?: Record<string, string>];
const refusals: [string, Answer, { status: number; code: string; message: string }][] = [
  [
    'its refusal',
    [200, '{"error":{"http_code":403,"message":"Not you."}}'],
    { status: 403, code: '', message: 'Not you.' },
  ],
  ['one without a status', [200, '{"error":{"message":"No."}}'], unexpected('No.')],
  ['one with no error status', [200, '{"error":{"http_code":200,"message":"No."}}'], unexpected('No.')],
  [
    '400, whatever it says',
    [400, '{"error":{"http_code":403,"message":"No."}}'],
    unexpected('Invalid payload sent to hook'),
  ],
  ['401', [401, '{}'], unexpected('Hook requires authorization token')],
  ['500', [500, '{}'], unexpected('Unexpected status code returned from hook: 500')],
  ['503', [503, '{}'], unexpected('Service currently unavailable due to hook')],
  ['a redirect', [302, '{}', { Location: '/elsewhere' }], unexpected('Unexpected status code returned from hook: 302')],
  [
    'a page',
    [200, '<p>', { 'Content-Type': 'text/html' }],
    wrongType('Invalid JSON response. Received content-type: text/html'),
  ],
  ['no type', [200, '{}', { 'Content-Type': '' }], wrongType('Invalid Content-Type: Missing Content-Type header')],
  ['garbage', [200, '{"claims":'], INVALID],
  ['a list', [200, '[]'], INVALID],
  ['an error that is none', [200, '{"error":"No."}'], INVALID],
  ['too much', [200, `"${'x'.repeat(200 * 1024)}"`], TOO_LARGE],
];
test.each(refusals)('%s refuses, at the first try', async (_, [status, body, headers], error) => {
  answerWith(status, body, headers);
  await expect(ask()).rejects.toMatchObject(error);
  expect(server.delivered).toHaveLength(1);
  expect(logged.join()).toContain(`"hook":"beforeUserCreated","status":${error.status}`);
});

test.each([429, 503])('%i with Retry-After is asked three times, each a delivery of its own', async (status) => {
  answerWith(status, '{}', { 'Retry-After': '1' });
  await expect(ask()).rejects.toMatchObject({ status: 500, message: 'Service currently unavailable due to hook' });
  expect(new Set(server.delivered.map(({ headers }) => headers['webhook-id'])).size).toBe(3);

  server.answer = (_delivered, response) =>
    server.delivered.length === 4 ? json(response, status, {}, { 'Retry-After': '1' }) : json(response, 200, {});
  expect(await ask()).toEqual({});
  expect(server.delivered).toHaveLength(5);
});

test('what cannot be reached, and what does not answer in time, refuses', async () => {
  const uri = `http://127.0.0.1:${await freePort()}/secret-path`;
  await expect(ask({ uri })).rejects.toMatchObject({ status: 422, code: 'hook_timeout_after_retry' });
  server.answer = () => {};
  const late = {
    status: 422,
    code: 'hook_timeout',
    message: 'Failed to reach hook within maximum time of 0.050000 seconds',
  };
  await expect(ask({ timeoutMs: 50 })).rejects.toMatchObject(late);
  // An answer that begins in time and never ends.
  server.answer = (_delivered, response) =>
    void response.writeHead(200, { 'Content-Type': 'application/json' }).write('{"claims":');
  await expect(ask({ timeoutMs: 50 })).rejects.toMatchObject(late);
  expect(logged).toHaveLength(3);
  for (const told of ['whsec_', KEY.toString('base64'), 'ann@people.example', 'secret-path'])
    expect(logged.join()).not.toContain(told);
});

test.each([
  [{ uri: 'http://hooks.example/', secrets: [secretOf(KEY)] }, 'https:'],
  [{ uri: 'pg-functions://postgres/app/hook', secrets: [secretOf(KEY)] }, 'https:'],
  [{ uri: 'https://hooks.example/', secrets: ['whsec_c2VjcmV0'] }, 'v1,whsec_'],
] as const)('%j is refused at the start', (hook, why) => {
  const read = () => readHooks({ sendEmail: hook });
  expect(read).toThrow(why);
  expect(read).not.toThrow('c2VjcmV0');
});
