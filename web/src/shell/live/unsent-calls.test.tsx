import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { getSupabase } from '#web/lib/backend/supabase.ts';
import { ok, renderApp, seedSession, stubServer, TEST_USER } from '#web/test-app.tsx';
import { aCall } from '#web/test-data.ts';

const OUTBOX = `calls-to-log:${TEST_USER.id}`;
const NUMBER = '+12175550101';
const stop = { id: '00000000-0000-4000-8000-000000000001', leadId: 'lead-1', outcome: 'do_not_call' };
const sentStop = { ...stop, number: NUMBER };
const TITLE = '1 call outcome not sent yet';

beforeEach(() => {
  seedSession();
  localStorage.setItem(OUTBOX, JSON.stringify([{ ...stop, lead: { name: 'Alder Dental', number: NUMBER } }]));
});

/** Opens a page far from the call sheet while the server does not take the call. */
async function openOffline() {
  const answers: Parameters<typeof stubServer>[0] = { 'GET /api/keys': () => ok({ apiKeys: [] }) };
  const seen = stubServer(answers);
  renderApp('/account');
  const sent = () => seen.filter(({ path }) => path === '/api/calls').map(({ body }) => body);
  await waitFor(() => expect(screen.getByText(TITLE)).toBeVisible());
  await waitFor(() => expect(sent()).toEqual([sentStop]));
  return { answers, sent };
}

test('any page says what waits, and sends it once the server can be reached', async () => {
  const { answers, sent } = await openOffline();
  expect(screen.getByText('Do not call · Alder Dental')).toBeVisible();
  answers['POST /api/calls'] = () => ok({ call: aCall(), suppressed: true });
  fireEvent(window, new Event('online'));
  await waitFor(() => expect(screen.queryByText(TITLE)).not.toBeInTheDocument());
  expect(sent()).toEqual([sentStop, sentStop]);
  expect(localStorage.getItem(OUTBOX)).toBeNull();
});

test('after the session has ended it says what sends it', async () => {
  await openOffline();
  await (await getSupabase()).auth.signOut({ scope: 'local' });
  // The page of sign-in draws the news again.
  await waitFor(() => expect(screen.getByText('Do not call · Alder Dental. Sign in to send it.')).toBeVisible());
  expect(localStorage.getItem(OUTBOX)).not.toBeNull();
});
