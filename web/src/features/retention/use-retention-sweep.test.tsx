import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { SWEEP_MARKER_KEY } from '#contract/work/retention.ts';
import { ok, refused, renderApp, type SeenRequest, seedSession, stubServer } from '#web/test-app.tsx';

const HOUR_MS = 3_600_000;
const answers = (sweep: () => Response) => ({
  'GET /api/keys': () => ok({ apiKeys: [] }),
  'GET /rest/v1/lists': () => Response.json([]),
  'POST /api/retention/sweep': sweep,
});
const signIn = () => {
  seedSession();
  localStorage.removeItem(SWEEP_MARKER_KEY);
};
const nothing = () => ok({ archived: 0, deleted: 0 });
const sweeps = (seen: SeenRequest[]) => seen.filter(({ path }) => path === '/api/retention/sweep');
const reads = (seen: SeenRequest[]) => seen.filter(({ path }) => path === '/rest/v1/lists');

test('asks after the sign-in, and notes when', async () => {
  signIn();
  const seen = stubServer(answers(nothing));
  const before = Date.now();
  renderApp('/account');
  await waitFor(() => expect(sweeps(seen)).toHaveLength(1));
  expect(Number(localStorage.getItem(SWEEP_MARKER_KEY))).toBeGreaterThanOrEqual(before);
});

test.each([
  ['23 hours ago', () => String(Date.now() - 23 * HOUR_MS), 0],
  ['24 hours ago', () => String(Date.now() - 24 * HOUR_MS), 1],
  ['in a future', () => String(Date.now() + HOUR_MS), 1],
  ['never, it says', () => 'yesterday', 1],
])('when it was last asked %s', async (_name, marker, expected) => {
  signIn();
  localStorage.setItem(SWEEP_MARKER_KEY, marker());
  const seen = stubServer(answers(nothing));
  const { router } = renderApp('/account');
  await screen.findByRole('region', { name: 'API Keys' });
  await router.navigate('/settings');
  await screen.findByRole('heading', { name: 'Settings' });
  await waitFor(() => expect(sweeps(seen)).toHaveLength(expected));
});

test('no one who is signed out asks', async () => {
  const seen = stubServer(answers(nothing));
  renderApp('/');
  await screen.findByRole('heading', { name: 'Sign in to Fairlead' });
  expect(sweeps(seen)).toEqual([]);
  expect(localStorage.getItem(SWEEP_MARKER_KEY)).toBeNull();
});

test.each([
  ['something has changed', () => ok({ archived: 0, deleted: 1 }), 2],
  ['nothing has changed', nothing, 1],
  ['it fails', () => refused(500, 'INTERNAL', 'Something went wrong.'), 1],
])('the lists are read again when %s', async (_name, answer, expected) => {
  signIn();
  const { promise, resolve } = Promise.withResolvers<Response>();
  const seen = stubServer({ ...answers(nothing), 'POST /api/retention/sweep': () => promise });
  renderApp('/');
  await screen.findByText('No lists yet');
  expect(reads(seen)).toHaveLength(1);
  resolve(answer());
  await waitFor(() => expect(reads(seen)).toHaveLength(expected));
  expect(screen.queryByText('Something went wrong.')).not.toBeInTheDocument();
});
