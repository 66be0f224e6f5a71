import { screen, waitFor } from '@testing-library/react';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { LIVE_CHANNEL, type LiveMessage } from '#contract/live.ts';
import { ok, renderApp, seedSession, stubServer, TEST_USER } from '#web/test-app.tsx';
import { aListRow, aRun } from '#web/test-data.ts';
import { TestSocket } from '#web/test-socket.ts';

const TOPIC = `realtime:${LIVE_CHANNEL.of(TEST_USER.id)}`;
const { sockets, joins } = TestSocket;
const say = (event: string, payload: object) => sockets.at(-1)?.receive([null, null, TOPIC, event, payload]);
const tell = (payload: LiveMessage) => say('broadcast', { type: 'broadcast', event: LIVE_CHANNEL.event, payload });

beforeEach(() => {
  seedSession();
  TestSocket.open();
  joins.length = 0;
});
afterAll(() => TestSocket.silence());

const work = aRun({ kind: 'enrichment', state: 'running', finishedAt: null });
const at = (domainsDone: number) => ({
  ...work,
  enrichment: {
    leads: 40,
    suppressed: 0,
    withoutWebsite: 0,
    onSharedHost: 0,
    domains: 40,
    domainsDone,
    domainsKnown: 0,
    domainsUncertain: 0,
    domainsForHunter: 0,
    sites: 0,
    sitesDone: 0,
    sitesKnown: 0,
    sitesFound: 0,
    sitesRefused: 0,
    emailsToVerify: 0,
    emailsVerified: 0,
    emailsKnown: 0,
    emailsInvalid: 0,
    emailsPending: 0,
    emailsUncertain: 0,
    emailsSuppressed: 0,
    leadsUpdated: 0,
    emailsAdded: 0,
    contactsAdded: 0,
  },
});
const row = aListRow({ name: 'dentists', status: 'processing' });
const done = { ...row, status: 'completed' as const };

async function openDashboard(listed = row) {
  const seen = stubServer({
    'GET /rest/v1/lists': () => Response.json([listed]),
    'GET /api/keys': () => ok({ apiKeys: [] }),
    'GET /api/runs': () => ok({ runs: [at(1)] }),
  });
  renderApp('/');
  // The first of these loads the app.
  await screen.findByRole('heading', { name: 'dentists' }, { timeout: 20_000 });
  await waitFor(() => expect(joins).toEqual([TOPIC]));
  const asked = (path: string) => seen.filter((one) => one.path === path).length;
  // What was read before anyone listened is read once more. Until then, a list that is worked on is asked for again and again.
  await waitFor(() => expect(asked('/rest/v1/lists')).toBeGreaterThanOrEqual(2));
  return { asked };
}

test('what is told is shown: progress, new lists and deleted ones', async () => {
  await openDashboard();
  tell({ kind: 'changed', changes: [{ listId: row.id, list: row, runs: [at(7)] }] });
  await screen.findByText('7 of 40 websites looked up');
  const other = aListRow({ id: 'list-2', name: 'plumbers', status: 'completed', created_at: '2026-11-20T00:00:00Z' });
  tell({ kind: 'changed', changes: [{ listId: 'list-2', list: other, runs: [] }] });
  await screen.findByRole('heading', { name: 'plumbers' });
  tell({ kind: 'changed', changes: [{ listId: 'list-2', list: null, runs: [] }] });
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'plumbers' })).not.toBeInTheDocument());
});

test('work that failed for want of a key has the keys read again, also when it was begun elsewhere', async () => {
  const { asked } = await openDashboard();
  const before = asked('/api/keys');
  const failed = { ...at(1), state: 'failed' as const, errorCode: 'MISSING_API_KEY' };
  tell({ kind: 'changed', changes: [{ listId: row.id, list: { ...row, status: 'failed' }, runs: [failed] }] });
  await waitFor(() => expect(asked('/api/keys')).toBe(before + 1));
});

test('what was missed is read again, and nothing else is asked for', async () => {
  const { asked } = await openDashboard(done);
  tell({ kind: 'missed' });
  await waitFor(() => expect(asked('/rest/v1/lists')).toBe(3));
});

test('a socket that breaks is followed by asking, and by another socket, after which nothing is asked anymore', async () => {
  const { asked } = await openDashboard();
  const [opened, before] = [sockets.length, asked('/api/runs')];
  sockets.at(-1)?.close();
  await waitFor(() => expect(asked('/api/runs')).toBeGreaterThan(before + 1), { timeout: 4_000 });
  await waitFor(() => expect(joins).toHaveLength(2), { timeout: 4_000 });
  expect(sockets).toHaveLength(opened + 1);
  tell({ kind: 'changed', changes: [{ listId: row.id, list: row, runs: [at(9)] }] });
  await screen.findByText('9 of 40 websites looked up');
});

test('a channel that the server closes is asked for again, as is what a newer server says in other words', async () => {
  const { asked } = await openDashboard();
  const opened = asked('/rest/v1/lists');
  say('phx_close', {});
  await waitFor(() => expect(joins).toHaveLength(2), { timeout: 4_000 });
  await waitFor(() => expect(asked('/rest/v1/lists')).toBeGreaterThan(opened));
  const before = asked('/rest/v1/lists');
  say('broadcast', { type: 'broadcast', event: LIVE_CHANNEL.event, payload: { kind: 'moved' } });
  await waitFor(() => expect(asked('/rest/v1/lists')).toBeGreaterThan(before + 1), { timeout: 4_000 });
});
