import { afterEach, expect, test, vi } from 'vitest';
import { createBackendClient } from '#web/lib/backend/supabase.ts';
import { SESSION_STORAGE_KEY } from '#web/lib/session/stored-session.ts';
import { ok, refused, stubServer, TEST_CONFIG, TEST_USER, testSession } from '#web/test-app.tsx';
import { EARLIER_TOKEN_KEY } from './earlier-session.ts';

const SUPABASE = 'https://project.supabase.example';
const CARRY = 'POST /api/session/carry-over';
const VERIFY = 'POST /auth/v1/verify';
// The client does not like to be made twice in a page, as here.
vi.spyOn(console, 'warn').mockImplementation(() => {});
afterEach(() => vi.unstubAllGlobals());

const tokenBy = (issuer: string) => `header.${btoa(JSON.stringify({ iss: `${issuer}/auth/v1` }))}.signature`;
/** A session that `issuer` has made, as the client keeps it. */
const sessionBy = (issuer: string, refresh_token = 'before') => ({
  ...testSession,
  access_token: tokenBy(issuer),
  refresh_token,
});
const store = (session: object) => localStorage.setItem(SESSION_STORAGE_KEY, JSON.stringify(session));
const arrive = async (backendUrl = SUPABASE) => {
  const { auth } = await createBackendClient({ ...TEST_CONFIG, backendUrl });
  const { data } = await auth.getSession();
  return data.session;
};
const signedIn = () => ({
  [CARRY]: () => ok({ token_hash: 'a-hash' }),
  [VERIFY]: () => Response.json(sessionBy(SUPABASE, 'after')),
});

test('a session of before is exchanged once, and then never asked for again', async () => {
  store(sessionBy(window.location.origin));
  const seen = stubServer(signedIn());
  expect(await arrive()).toMatchObject({ refresh_token: 'after', user: { email: TEST_USER.email } });
  expect(seen.map(({ method, path, query, body }) => [method, path, query, body])).toEqual([
    ['POST', '/api/session/carry-over', '', { refresh_token: 'before' }],
    ['POST', '/auth/v1/verify', '', expect.objectContaining({ token_hash: 'a-hash', type: 'email' })],
  ]);
  expect(await arrive()).toMatchObject({ refresh_token: 'after' });
  expect(seen).toHaveLength(2);
  expect(localStorage.getItem(EARLIER_TOKEN_KEY)).toBeNull();
});

test('two tabs that open together exchange it once, and both are signed in', async () => {
  type Work = (lock: object | null) => Promise<unknown>;
  const turns: Promise<unknown>[] = [];
  const request = async (_name: string, ...[options, work]: [Work] | [object, Work]) => {
    if (!work) return Promise.all(turns).then(() => (options as Work)({}));
    if (turns.length > 0) return work(null);
    turns.push(work({}));
    return turns[0];
  };
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { locks: { request } }));
  store(sessionBy(window.location.origin));
  const seen = stubServer(signedIn());
  expect(await Promise.all([arrive(), arrive()])).toMatchObject([
    { refresh_token: 'after' },
    { refresh_token: 'after' },
  ]);
  expect(seen).toHaveLength(2);
});

test('a refusal is forgotten without a word, and someone signs in as ever', async () => {
  store(sessionBy(window.location.origin));
  const seen = stubServer({ [CARRY]: () => refused(401, 'UNAUTHENTICATED', 'This session is over.') });
  expect(await arrive()).toBeNull();
  expect(await arrive()).toBeNull();
  expect(seen).toHaveLength(1);
  expect(localStorage).toHaveLength(0);
});

test.each([
  ['no connection', undefined],
  ['Supabase cannot be asked', () => refused(503, 'UNAVAILABLE')],
  ['too many at once', () => refused(429, 'RATE_LIMITED')],
])('%s: the next page tries again', async (_what, answer) => {
  store(sessionBy(window.location.origin));
  const answers: Parameters<typeof stubServer>[0] = answer ? { [CARRY]: answer } : {};
  stubServer(answers);
  expect(await arrive()).toBeNull();
  Object.assign(answers, signedIn());
  expect(await arrive()).toMatchObject({ refresh_token: 'after' });
});

test('who has signed in meanwhile stays who they are', async () => {
  localStorage.setItem(EARLIER_TOKEN_KEY, 'before');
  store(sessionBy(SUPABASE, 'own'));
  const seen = stubServer(signedIn());
  expect(await arrive()).toMatchObject({ refresh_token: 'own' });
  expect(localStorage.getItem(EARLIER_TOKEN_KEY)).toBeNull();
  expect(seen).toEqual([]);
});

test('who has signed in meanwhile and out again stays out', async () => {
  store(sessionBy(window.location.origin));
  const seen = stubServer({
    ...signedIn(),
    [CARRY]: () => refused(503, 'UNAVAILABLE'),
    'POST /auth/v1/logout': () => ok({}),
  });
  const { auth } = await createBackendClient({ ...TEST_CONFIG, backendUrl: SUPABASE });
  await auth.verifyOtp({ email: TEST_USER.email, token: '123456', type: 'email' });
  await auth.signOut({ scope: 'local' });
  expect(await arrive()).toBeNull();
  expect(seen.filter(({ path }) => path.includes('carry-over'))).toHaveLength(1);
});

test('nothing is asked where the sign-in is here, nor of no one', async () => {
  const seen = stubServer(signedIn());
  expect(await arrive()).toBeNull();
  store(sessionBy(window.location.origin, 'own'));
  expect(await arrive(window.location.origin)).toMatchObject({ refresh_token: 'own' });
  expect(seen).toEqual([]);
});
