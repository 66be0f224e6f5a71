import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ok, renderApp, seedSession, stubServer } from '#web/test-app.tsx';
import { NO_USAGE } from '#web/test-data.ts';

const answers = { 'GET /api/keys': () => ok({ apiKeys: [] }), 'GET /rest/v1/lists': () => Response.json([]) };

test.each(['/', '/settings', '/account', '/usage', '/lists/7', '/search', '/admin/training'])(
  '%s needs a session',
  async (path) => {
    stubServer(answers);
    const { router } = renderApp(path);
    expect(await screen.findByRole('heading', { name: 'Sign in to Fairlead' })).toBeVisible();
    expect(router.state.location.pathname).toBe('/login');
  },
);

test('/search leads to the dashboard and says where one came from', async () => {
  seedSession();
  stubServer(answers);
  const { router } = renderApp('/search');
  // The search, which opens there, may lie before it by now.
  await screen.findByRole('heading', { name: 'Dashboard', level: 1, hidden: true });
  expect(router.state.location.pathname).toBe('/');
});

test('/usage is announced', async () => {
  seedSession();
  stubServer({ ...answers, 'GET /api/usage': () => ok(NO_USAGE) });
  renderApp('/usage');
  expect(await screen.findByText('Usage analytics interface coming soon...')).toBeVisible();
});

test('an unknown address, for anyone', async () => {
  stubServer(answers);
  renderApp('/nowhere/at/all');
  expect(await screen.findByText('Oops! Page not found')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Return to home' })).toHaveAttribute('href', '/');
});

test('missing settings are said on every page', async () => {
  stubServer(answers);
  renderApp('/login', { config: { backendUrl: '', backendKey: '' } });
  expect(await screen.findByText('The backend is disabled because environment settings are missing.')).toBeVisible();
});
