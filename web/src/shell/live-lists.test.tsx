import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LiveMessage } from '#contract/live.ts';
import { ok, renderApp, seedSession, stubServer } from '#web/test-app.tsx';
import { aListRow, aRun } from '#web/test-data.ts';

/** Ends of the streams that were opened, the newest last. */
let streams: ReadableStreamDefaultController<Uint8Array>[];

const tell = (message: LiveMessage) =>
  streams.at(-1)?.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(message)}\n\n`));

/** jsdom has neither channels nor locks; this browser has one tab. */
class OneTab extends EventTarget {
  postMessage() {}
  close() {}
}
const locks = {
  request: (name: string, _options: unknown, hold: (lock: object) => Promise<unknown>) => hold({ name }),
};

beforeEach(() => {
  seedSession();
  streams = [];
  vi.stubGlobal('BroadcastChannel', OneTab);
  Object.defineProperty(navigator, 'locks', { value: locks, configurable: true });
});
afterEach(() => {
  Reflect.deleteProperty(navigator, 'locks');
});

const work = aRun({ kind: 'enrichment', state: 'running', finishedAt: null });
const at = (domainsDone: number) => ({
  ...work,
  enrichment: {
    ...{ leads: 40, withoutWebsite: 0, onSharedHost: 0, domains: 40, domainsDone, domainsKnown: 0 },
    ...{ domainsUncertain: 0, leadsUpdated: 0, emailsAdded: 0, contactsAdded: 0 },
  },
});
const row = aListRow({ name: 'dentists', status: 'processing' });

async function openDashboard() {
  const seen = stubServer({
    'GET /rest/v1/lists': () => Response.json([row]),
    'GET /api/keys': () => ok({ apiKeys: [] }),
    'GET /api/runs': () => ok({ runs: [at(1)] }),
    'GET /api/events': () => new Response(new ReadableStream({ start: (own) => void streams.push(own) })),
  });
  renderApp('/');
  // The first of these loads the app.
  await screen.findByText('1 of 40 websites looked up', {}, { timeout: 20_000 });
  await waitFor(() => expect(streams).toHaveLength(1));
  return { asked: (path: string) => seen.filter((one) => one.path === path).length };
}

test('what is told is shown: progress, new lists and deleted ones', async () => {
  await openDashboard();
  tell({ kind: 'ready' });
  tell({ kind: 'changed', changes: [{ listId: row.id, list: row, runs: [at(7)] }] });
  await screen.findByText('7 of 40 websites looked up');
  const other = aListRow({ id: 'list-2', name: 'plumbers', status: 'completed', created_at: '2026-11-20T00:00:00Z' });
  tell({ kind: 'changed', changes: [{ listId: 'list-2', list: other, runs: [] }] });
  await screen.findByRole('heading', { name: 'plumbers' });
  tell({ kind: 'changed', changes: [{ listId: 'list-2', list: null, runs: [] }] });
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'plumbers' })).not.toBeInTheDocument());
});

test('what was missed is read again', async () => {
  const { asked } = await openDashboard();
  tell({ kind: 'ready' });
  await new Promise((resolve) => setTimeout(resolve, 0));
  const before = asked('/rest/v1/lists');
  tell({ kind: 'missed' });
  await waitFor(() => expect(asked('/rest/v1/lists')).toBeGreaterThan(before));
});

test('a stream that breaks is followed by asking, and by another stream', async () => {
  const { asked } = await openDashboard();
  tell({ kind: 'ready' });
  tell({ kind: 'changed', changes: [{ listId: row.id, list: row, runs: [at(7)] }] });
  await screen.findByText('7 of 40 websites looked up');
  const before = asked('/api/runs');
  streams.at(-1)?.close();
  await waitFor(() => expect(asked('/api/runs')).toBeGreaterThan(before + 1), { timeout: 4_000 });
  await waitFor(() => expect(streams).toHaveLength(2), { timeout: 4_000 });
});
