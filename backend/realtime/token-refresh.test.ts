import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startAuth } from '#backend/auth/testing/harness.ts';
import { createTokenVerifier } from '#backend/auth/tokens/access-token.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { type Harness, PUBLISHABLE_KEY, startHarness, subscribed } from './testing/harness.ts';

const SECOND = 1_000;

let auth: Awaited<ReturnType<typeof startAuth>>;
let harness: Harness;
/** Auth and Realtime at one address. */
const site = createServer();
let url: string;
beforeAll(async () => {
  auth = await startAuth(await freshDatabase());
  harness = await startHarness(auth.databaseUrl);
  const { verify } = createTokenVerifier({ db: auth.db, issuer: auth.issuer });
  // Clocks jump here, and no one has said anything meanwhile.
  const { realtime } = await harness.process({ verify, limits: { silenceMs: 1e9 } });
  site.on('upgrade', realtime.upgrade);
  site.on('request', async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const answer = await fetch(`${auth.url}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { 'content-type': 'application/json', authorization: request.headers.authorization ?? '' },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
afterAll(async () => {
  vi.useRealTimers();
  await harness?.stop();
  site.closeAllConnections();
  site.close();
  await auth?.close();
});

test('a token that the client renews reaches its open channels, which live on when the one before has run out', async () => {
  const { session } = await auth.signIn('renewed@harbour.example');
  const client = createClient(url, PUBLISHABLE_KEY, { auth: { autoRefreshToken: false, persistSession: false } });
  const held = createClient(url, PUBLISHABLE_KEY, { accessToken: async () => session.access_token });
  const events: string[] = [];
  client.auth.onAuthStateChange((event) => void events.push(event));
  expect((await client.auth.setSession(session)).error).toBeNull();
  const heard: unknown[] = [];
  const config = { broadcast: { self: true, ack: true } };
  const [statuses, heldStatuses]: [string[], string[]] = [[], []];
  const channel = await subscribed(
    client.channel('room', { config }).on('broadcast', { event: '*' }, ({ event }) => void heard.push(event)),
    statuses,
  );
  await subscribed(held.channel('room'), heldStatuses);

  const endsAt = (session.expires_at ?? 0) * SECOND;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  await client.auth.startAutoRefresh();
  vi.setSystemTime(endsAt - 95 * SECOND);
  vi.advanceTimersByTime(30 * SECOND);
  await expect.poll(() => events).toContain('TOKEN_REFRESHED');
  // It is answered after what was sent before it.
  expect(await channel.send({ type: 'broadcast', event: 'renewed', payload: {} })).toBe('ok');
  vi.setSystemTime(endsAt + SECOND);
  await expect.poll(() => heldStatuses).toEqual(['SUBSCRIBED', 'CLOSED']);
  expect(await channel.send({ type: 'broadcast', event: 'later', payload: {} })).toBe('ok');
  await expect.poll(() => heard).toEqual(['renewed', 'later']);
  expect(statuses).toEqual(['SUBSCRIBED']);
  await client.auth.stopAutoRefresh();
  await Promise.all([client.realtime.disconnect(), held.realtime.disconnect()]);
});
