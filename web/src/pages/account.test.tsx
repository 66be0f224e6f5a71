import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { getSupabase } from '#web/lib/backend/supabase.ts';
import { ok, renderApp, seedSession, stubServer, TEST_USER } from '#web/test-app.tsx';

const answers = (placesConnected: boolean) => ({
  'GET /api/keys': () =>
    ok({
      apiKeys: [
        { provider: 'google_places', isConnected: placesConnected },
        { provider: 'hunter_io', isConnected: true, keyName: 'Team key' },
        { provider: 'searchbug', isConnected: false },
      ],
    }),
  'POST /auth/v1/logout': () => new Response(null, { status: 204 }),
});

const keysCard = async () => within(await screen.findByRole('region', { name: 'API Keys' }));

test('shows who is signed in, and the keys', async () => {
  seedSession();
  stubServer(answers(true));
  renderApp('/account');
  const authentication = within(await screen.findByRole('region', { name: 'Authentication' }));
  expect(authentication.getByText(TEST_USER.email)).toBeVisible();
  expect(authentication.getByRole('button', { name: 'Sign out' })).toBeVisible();
  const keys = await keysCard();
  expect(await keys.findByRole('link', { name: 'Manage Google Places' })).toHaveAttribute('href', '/settings');
  expect(keys.getByRole('link', { name: 'Manage Team key' })).toHaveAttribute('href', '/settings');
  expect(keys.queryByText('SearchBug')).not.toBeInTheDocument();
});

test('a missing places key is to be configured', async () => {
  seedSession();
  stubServer(answers(false));
  renderApp('/account');
  const keys = await keysCard();
  expect(await keys.findByText('Not configured')).toBeVisible();
  expect(keys.getByRole('link', { name: 'Configure Google Places' })).toHaveAttribute('href', '/settings');
});

test('a session that ends while the page is open leaves the way in, and nothing of the person', async () => {
  seedSession();
  stubServer(answers(true));
  const { router } = renderApp('/account');
  await screen.findByText(TEST_USER.email, { selector: 'p' });
  const supabase = await getSupabase();
  await supabase.auth.signOut({ scope: 'local' });
  expect(await screen.findByRole('button', { name: 'Send magic link' })).toBeVisible();
  expect(screen.getByText('Sign in to see your API keys.')).toBeVisible();
  expect(screen.queryByText('Team key')).not.toBeInTheDocument();
  expect(router.state.location.pathname).toBe('/account');
  await router.navigate('/settings');
  expect(await screen.findByRole('heading', { name: 'Sign in to Fairlead' })).toBeVisible();
});
