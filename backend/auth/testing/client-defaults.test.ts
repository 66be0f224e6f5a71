// @vitest-environment jsdom
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type Session } from '@supabase/supabase-js';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { freshDatabase } from '#test/databases/database.ts';
import { skipPauses } from '#test/runner/skip-pauses.ts';
import { type UnreliableWay, unreliableWay } from '#test/servers/unreliable-way.ts';
import { startAuth } from './harness.ts';

const { history } = globalThis as unknown as { history: { replaceState(data: null, unused: '', url: string): void } };
const SECOND = 1_000;
/** Between the tries of a renewal, in ms. None would end after the 30 s of a tick, where those before it take no time. */
const PAUSES = Array.from({ length: 8 }, (_, tries) => 200 * 2 ** tries);

let auth: Awaited<ReturnType<typeof startAuth>>;
/** To the backend; where sessions are renewed and ended it is unreliable. */
let way: UnreliableWay;

beforeAll(async () => {
  auth = await startAuth(await freshDatabase());
  way = await unreliableWay(auth.url, /^\/auth\/v1\/(?:token|logout)/);
});
beforeEach(() => way.mend());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  history.replaceState(null, '', '/');
});
afterAll(async () => {
  await way?.close();
  await auth?.close();
});

let signedIn = 0;
/** A client that holds the session of someone, and the names of what happens to it. */
async function holder() {
  signedIn += 1;
  const { session } = await auth.signIn(`client-${signedIn}@harbour.example`);
  const client = createClient(way.url, 'test-key', {
    auth: { autoRefreshToken: false, detectSessionInUrl: false, persistSession: false, storageKey: `held-${signedIn}` },
  });
  await client.auth.setSession(session);
  const events: string[] = [];
  client.auth.onAuthStateChange((event) => void events.push(event));
  return { client, session, events };
}

test('a renewal that finds no one is tried again after 200 ms, and after twice as long each time', async () => {
  const { client, session } = await holder();
  const pauses = skipPauses(PAUSES);
  way.faults.push('busy', 'cut', 'busy');
  const { data, error } = await client.auth.refreshSession();
  expect(error).toBeNull();
  expect(data.session?.refresh_token).not.toBe(session.refresh_token);
  expect([pauses, way.askedAt.length]).toEqual([[200, 400, 800], 4]);
});

test('one that finds no one for half a minute is given up, and leaves the session for later', async () => {
  const { client, session, events } = await holder();
  const pauses = skipPauses(PAUSES);
  way.faults.push(...PAUSES.map(() => 'busy' as const), 'busy');
  const { error } = await client.auth.refreshSession();
  expect(error).toMatchObject({ name: 'AuthRetryableFetchError', status: 503 });
  expect([pauses, way.askedAt.length]).toEqual([PAUSES, PAUSES.length + 1]);
  expect(events).not.toContain('SIGNED_OUT');
  expect((await client.auth.getSession()).data.session?.refresh_token).toBe(session.refresh_token);
  // For a minute the client answers what it was answered.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61 * SECOND });
  expect((await client.auth.refreshSession()).error).toBeNull();
});

test('signing out of a session that has ended is signing out; of one that no one can be asked about is not', async () => {
  const { client, session, events } = await holder();
  way.faults.push('busy');
  expect((await client.auth.signOut()).error).toMatchObject({ name: 'AuthRetryableFetchError', status: 503 });
  expect((await client.auth.getSession()).data.session?.access_token).toBe(session.access_token);
  await auth.db.deleteFrom('auth.sessions').execute();
  expect((await client.auth.signOut()).error).toBeNull();
  expect((await client.auth.getSession()).data.session).toBeNull();
  expect(events).toContain('SIGNED_OUT');
});

test('a renewal that is refused is not tried again, and once the token has run out the session is over', async () => {
  const { client, session, events } = await holder();
  await auth.db.deleteFrom('auth.sessions').execute();
  const { error } = await client.auth.refreshSession();
  expect(error).toMatchObject({ code: 'refresh_token_not_found' });
  expect(way.askedAt).toHaveLength(1);
  expect(events).not.toContain('SIGNED_OUT');
  vi.useFakeTimers({ toFake: ['Date'], now: (session.expires_at ?? 0) * SECOND + SECOND });
  expect((await client.auth.getSession()).data.session).toBeNull();
  await vi.waitFor(() => expect(events).toContain('SIGNED_OUT'), 10_000);
});

test('while a slow renewal is under way, anyone who asks for one waits for it', async () => {
  const { client } = await holder();
  way.faults.push('slow');
  const answers = await Promise.all([client.auth.refreshSession(), client.auth.refreshSession()]);
  expect(answers.map(({ error }) => error)).toEqual([null, null]);
  expect(way.askedAt).toHaveLength(1);
});

test('every 30 s a client looks at its session, and renews it before it runs out', async () => {
  const { client, session, events } = await holder();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  await client.auth.startAutoRefresh();
  const left = () => (session.expires_at ?? 0) * SECOND - Date.now();
  vi.setSystemTime(Date.now() + left() - 200 * SECOND);
  vi.advanceTimersByTime(30 * SECOND);
  await sleep(50);
  expect(way.askedAt).toHaveLength(0);
  vi.setSystemTime(Date.now() + left() - 95 * SECOND);
  vi.advanceTimersByTime(29 * SECOND);
  expect(way.askedAt).toHaveLength(0);
  vi.advanceTimersByTime(1 * SECOND);
  await vi.waitFor(() => expect(events).toContain('TOKEN_REFRESHED'), 10_000);
  expect(way.askedAt).toHaveLength(1);
  await client.auth.stopAutoRefresh();
});

/** What a client that opens the address of a sign-in warns of. `skewSeconds`: how far its clock is ahead. */
async function warningsAt(session: Session, skewSeconds: number): Promise<string[]> {
  const warnings: string[] = [];
  vi.spyOn(console, 'warn').mockImplementation((text: string) => void warnings.push(text));
  const { access_token, refresh_token, expires_in, expires_at } = session;
  const fragment = new URLSearchParams({ access_token, refresh_token, token_type: 'bearer' });
  fragment.set('expires_in', String(expires_in));
  fragment.set('expires_at', String(expires_at));
  history.replaceState(null, '', `/#${fragment}`);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + skewSeconds * SECOND });
  const client = createClient(way.url, 'test-key', {
    auth: { flowType: 'implicit', autoRefreshToken: false, persistSession: false, storageKey: `url-${skewSeconds}` },
  });
  expect((await client.auth.initialize()).error).toBeNull();
  expect((await client.auth.getSession()).data.session?.user.id).toBe(session.user.id);
  vi.restoreAllMocks();
  return warnings;
}

test.each([
  [0, []],
  [125, [expect.stringContaining('issued over 120s ago')]],
  [-60, [expect.stringContaining('Check the device clock for skew')]],
])(
  'an address with a session is taken; a clock that is %i s ahead is told apart from a fresh one',
  async (skew, expected) => {
    signedIn += 1;
    const { session } = await auth.signIn(`client-${signedIn}@harbour.example`);
    expect(await warningsAt(session, skew)).toEqual(expected);
  },
);

test('dispose ends the looks and forgets who listens; the session stays where it is kept', async () => {
  const { client, session, events } = await holder();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  await client.auth.startAutoRefresh();
  await client.auth.dispose();
  vi.setSystemTime((session.expires_at ?? 0) * SECOND - 30 * SECOND);
  vi.advanceTimersByTime(60 * SECOND);
  vi.useRealTimers();
  await client.auth.refreshSession();
  expect(way.askedAt).toHaveLength(1);
  expect(events).not.toContain('TOKEN_REFRESHED');
  expect((await client.auth.getSession()).data.session?.user.id).toBe(session.user.id);
});

test('a client that is to throw throws what the others answer', async () => {
  const client = createClient(way.url, 'test-key', {
    auth: { throwOnError: true, autoRefreshToken: false, persistSession: false, storageKey: 'throws' },
  });
  expect(client.auth.isThrowOnErrorEnabled()).toBe(true);
  await expect(client.auth.signInWithPassword({ email: 'a@harbour.example', password: 'x' })).rejects.toMatchObject({
    code: 'invalid_credentials',
  });
});
