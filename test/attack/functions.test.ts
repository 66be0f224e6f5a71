import {
  createClient,
  FunctionRegion,
  FunctionsFetchError,
  FunctionsHttpError,
  FunctionsRelayError,
} from '@supabase/supabase-js';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { unreliableWay } from '#test/servers/unreliable-way.ts';
import { type Owner, signIn, signInOwner } from './harness/people.ts';
import { contractEndpoints } from './harness/routes.ts';
import { ADMIN, PUBLISHABLE_KEY, type Site, startSite } from './harness/site.ts';

let site: Site;
let alice: Owner;

beforeAll(async () => {
  site = await startSite();
  alice = await signInOwner(site, 'alice@people.example');
  await signIn(site, ADMIN);
});

const functionsFor = (token?: string, url = site.url) =>
  createClient(url, PUBLISHABLE_KEY, token === undefined ? {} : { accessToken: async () => token }).functions;

test('invoke reaches the product API under its functions name, by every method', async () => {
  const { invoke } = bound();
  const copy = { body: { list_id: alice.listId } };
  expect((await invoke('lists-duplicate', copy)).data).toMatchObject({ success: true });
  expect((await invoke('keys', { method: 'GET', region: FunctionRegion.EuWest1 })).data).toMatchObject({
    success: true,
  });
  expect((await invoke('keys', { method: 'DELETE', body: { provider: 'hunter_io' } })).error).toBeNull();
  expect((await invoke(`runs?list_id=${alice.listId}`, { method: 'GET' })).data).toMatchObject({ success: true });
  expect((await invoke('usage-meters', { body: { provider: 'hunter_io' } })).response?.status).toBe(400);
});

/** Alice's. */
function bound() {
  const functions = functionsFor(alice.accessToken);
  return { invoke: functions.invoke.bind(functions) };
}

test('a token set later is sent, and who does not want to wait is told', async () => {
  const functions = functionsFor();
  functions.setAuth(alice.accessToken);
  const keys = (options: object) => functions.invoke('keys', { method: 'GET', ...options });
  expect((await keys({ timeout: 10_000 })).data).toMatchObject({ success: true });
  expect((await keys({ signal: AbortSignal.abort() })).error).toBeInstanceOf(FunctionsFetchError);
});

test('every endpoint of the contract has a function of its own', async () => {
  const { invoke } = bound();
  for (const { path } of (await contractEndpoints()).values()) {
    const { response } = await invoke(path.replace('/api/', '').replace(/\/:.*/, '').replaceAll('/', '-'), {
      method: 'PATCH',
      body: {},
    });
    expect([404, 405], path).toContain(response?.status);
    // The function's own words, not the gateway's.
    expect(await response?.json(), path).toMatchObject({ success: false });
  }
});

test.each(['no-such-function', '', 'api', 'constructor', 'keys%2Ftest', 'admin'])('%o is not known', async (name) => {
  const { data, error, response } = await functionsFor(alice.accessToken).invoke(name, { body: {} });
  expect([data, response?.status, response?.headers.get('sb-error-code')]).toEqual([null, 404, 'NOT_FOUND']);
  expect(error).toBeInstanceOf(FunctionsHttpError);
  expect(await response?.json()).toEqual({ code: 'NOT_FOUND', message: 'Requested function was not found' });
});

test('anyone who is not signed in gets what the product API lets strangers have', async () => {
  const functions = functionsFor();
  const invoke = functions.invoke.bind(functions);
  expect((await invoke('keys', { method: 'GET' })).response?.status).toBe(401);
  expect((await invoke('admin-users-list', { method: 'GET' })).response?.status).toBe(401);
  expect((await invoke('auth-precheck', { body: { email: ADMIN } })).data).toMatchObject({ data: { allow: true } });
  expect((await bound().invoke('admin-users-list', { method: 'GET' })).response?.status).toBe(403);
  expect((await fetch(`${site.url}/functions/v1/keys`)).status).toBe(401);
});

test('a body that is not JSON is refused in words', async () => {
  const { invoke } = bound();
  const form = new FormData();
  form.set('file', new Blob(['a,b']));
  for (const body of [form, new Blob(['a']), 'text', new ArrayBuffer(2)]) {
    const { response } = await invoke('search-leads', { body });
    expect([response?.status, await response?.json()]).toEqual([
      415,
      expect.objectContaining({ error: 'UNSUPPORTED_MEDIA_TYPE', message: 'Send the request as application/json.' }),
    ]);
  }
  const headers = { 'Content-Type': 'application/json' };
  const json = JSON.stringify({ list_id: alice.listId });
  expect((await invoke('lists-duplicate', { body: json, headers })).error).toBeNull();
  const large = await invoke('search-leads', { body: { query: 'x'.repeat(1_100_000) } });
  expect(large.response?.status).toBe(413);
});

test('a step upwards leads nowhere else', async () => {
  const config = await site.call('GET', '/config.json');
  expect(config.text).toContain(PUBLISHABLE_KEY);
  for (const path of ['runs/%2e%2e/%2e%2e/config.json', 'runs/../../config.json', 'runs/..%2f..%2fconfig.json']) {
    const { text } = await site.call('GET', `/functions/v1/${path}`, { token: alice.accessToken });
    expect(text, path).not.toBe(config.text);
  }
});

test('without its database no function answers: that is an error of the relay', async () => {
  const gone = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
  const { verifyAccessToken } = site.deps;
  site.deps.verifyAccessToken = () => Promise.reject(gone);
  const { error } = await bound().invoke('keys', { method: 'GET' });
  site.deps.verifyAccessToken = verifyAccessToken;
  expect(error).toBeInstanceOf(FunctionsRelayError);
});

test('a server that is down, cut off, busy or silent: nothing is tried again, and each is told apart', async () => {
  const way = await unreliableWay(site.url);
  onTestFinished(() => way.close());
  const invoke = (options: object = {}, url = way.url) =>
    functionsFor(alice.accessToken, url).invoke('keys', { method: 'GET', ...options });
  expect((await invoke({}, 'http://127.0.0.1:2')).error).toBeInstanceOf(FunctionsFetchError);
  way.faults.push('cut', 'busy', 'cut download', 'slow', 'silent');
  expect((await invoke()).error).toBeInstanceOf(FunctionsFetchError);
  const busy = await invoke();
  expect([busy.error, busy.response?.status]).toEqual([expect.any(FunctionsHttpError), 503]);
  expect(await invoke()).toMatchObject({ data: null, error: { message: 'terminated' } });
  expect((await invoke({ timeout: 10_000 })).data).toMatchObject({ success: true });
  expect(way.askedAt).toHaveLength(4);
  const late = await invoke({ timeout: 50 });
  expect(late.error).toMatchObject({ name: 'FunctionsFetchError', context: { name: 'AbortError' } });
});
