import { waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod/mini';
import { precheckEndpoint } from '#contract/access/precheck.ts';
import { deleteKeyEndpoint, listKeysEndpoint } from '#contract/account/api-keys.ts';
import { endpoint } from '#contract/endpoint.ts';
import { listRunsEndpoint } from '#contract/work/runs.ts';
import { SESSION_STORAGE_KEY } from '#web/lib/session/stored-session.ts';
import { authRefused, ok, refused, seedSession, stubServer } from '#web/test-app.tsx';
import { callApi } from './api-client.ts';
import { ApiError } from './api-error.ts';

const ping = endpoint({ method: 'GET', path: '/api/ping', data: z.object({ pong: z.boolean() }) });

async function failureOf(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(() => undefined).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
}

beforeEach(seedSession);

test('sends the bearer token, the body and the query', async () => {
  const seen = stubServer({
    'DELETE /api/keys': () => ok({ provider: 'hunter_io' }),
    'GET /api/runs': () => ok({ runs: [] }),
  });
  await expect(callApi(deleteKeyEndpoint, { body: { provider: 'hunter_io' } })).resolves.toEqual({
    provider: 'hunter_io',
  });
  await callApi(listRunsEndpoint, { query: { list_id: 'a b' } });
  await callApi(listRunsEndpoint);
  expect(seen.map(({ path, query, body }) => [path, query, body])).toEqual([
    ['/api/keys', '', { provider: 'hunter_io' }],
    ['/api/runs', '?list_id=a+b', undefined],
    ['/api/runs', '', undefined],
  ]);
  expect(seen[0]?.headers.get('authorization')).toBe('Bearer header.payload.signature');
  expect(seen[0]?.headers.get('content-type')).toBe('application/json');
});

test('a public call needs no one, and its answer may stand beside data', async () => {
  localStorage.clear();
  const seen = stubServer({ 'POST /api/auth/precheck': () => Response.json({ allow: false, reason: 'NO_CONTACT' }) });
  const answer = await callApi(precheckEndpoint, { body: { email: 'mara.quill@harbour.example' } });
  expect(answer).toEqual({ allow: false, reason: 'NO_CONTACT' });
  expect(seen[0]?.headers.has('authorization')).toBe(false);
});

test('without a session nothing is sent', async () => {
  localStorage.clear();
  const seen = stubServer({});
  expect(await failureOf(callApi(ping))).toMatchObject({ kind: 'unauthenticated', message: 'Not authenticated' });
  expect(seen).toEqual([]);
});

test('a refusal carries code, message and request id', async () => {
  stubServer({ 'GET /api/ping': () => refused(409, 'CONFLICT', 'Already running.') });
  expect(await failureOf(callApi(ping))).toMatchObject({
    kind: 'http',
    status: 409,
    code: 'CONFLICT',
    message: 'Already running.',
    serverMessage: 'Already running.',
    requestId: 'req-1',
  });
});

test('a call that was sent on, with a token that has run out meanwhile, counts as cut: what it began goes on', async () => {
  const seen = stubServer({
    'GET /api/ping': () => Object.defineProperty(refused(401, 'UNAUTHENTICATED'), 'redirected', { value: true }),
    'POST /auth/v1/token': () => authRefused(500, 'unexpected_failure'),
  });
  expect(await failureOf(callApi(ping))).toMatchObject({ kind: 'network' });
  await waitFor(() => expect(seen.some(({ path }) => path === '/auth/v1/token')).toBe(true));
});

test('a session that the server does not know anymore is given up', async () => {
  const seen = stubServer({
    'GET /api/ping': () => refused(401, 'UNAUTHENTICATED', 'This session has ended. Please sign in again.'),
    'POST /auth/v1/token': () => authRefused(400, 'refresh_token_not_found'),
    'POST /auth/v1/logout': () => authRefused(403, 'session_not_found'),
  });
  const failures = await Promise.all([1, 2, 3].map(() => failureOf(callApi(ping))));
  for (const failure of failures) expect(failure).toMatchObject({ kind: 'http', status: 401, code: 'UNAUTHENTICATED' });
  await waitFor(() => expect(localStorage.getItem(SESSION_STORAGE_KEY)).toBeNull());
  expect(await failureOf(callApi(ping))).toMatchObject({ kind: 'unauthenticated' });
  expect(seen.filter(({ path }) => path === '/api/ping')).toHaveLength(3);
  expect(seen.filter(({ path }) => path === '/auth/v1/logout')).toHaveLength(1);
});

test('success: false counts as refused whatever the status, and may be silent', async () => {
  stubServer({ 'GET /api/ping': () => Response.json({ success: false }) });
  const error = await failureOf(callApi(ping));
  expect(error).toMatchObject({ kind: 'http', status: 200, message: 'HTTP 200' });
  expect(error.serverMessage).toBeUndefined();
});

test('a page instead of JSON: the first 200 characters', async () => {
  const page = `<html>${'x'.repeat(500)}`;
  stubServer({ 'GET /api/ping': () => new Response(page, { status: 502, headers: { 'content-type': 'text/html' } }) });
  const error = await failureOf(callApi(ping));
  expect(error).toMatchObject({ kind: 'non_json', status: 502, bodyStart: page.slice(0, 200) });
  expect(error.message).toBe(`Server returned non-JSON response: ${page.slice(0, 200)}`);
});

test.each([
  ['cut off', '{"success":true,"da'],
  ['no object', '"text"'],
  ['another shape', '{"success":true,"data":{"pong":"yes"}}'],
])('broken JSON: %s', async (_name, text) => {
  stubServer({ 'GET /api/ping': () => new Response(text, { headers: { 'content-type': 'application/json' } }) });
  expect(await failureOf(callApi(ping))).toMatchObject({ kind: 'invalid_json', status: 200 });
});

test('no connection', async () => {
  stubServer({});
  expect(await failureOf(callApi(listKeysEndpoint))).toMatchObject({ kind: 'network', status: 0 });
});

test('an abort stays an abort', async () => {
  const controller = new AbortController();
  stubServer({
    'GET /api/ping': () => {
      controller.abort();
      throw new DOMException('Aborted', 'AbortError');
    },
  });
  await expect(callApi(ping, { signal: controller.signal })).rejects.toMatchObject({ name: 'AbortError' });
});
