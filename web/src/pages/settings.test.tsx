import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { ok, refused, renderApp, seedSession, stubServer } from '#web/test-app.tsx';

const AN_HOUR_AGO = new Date(Date.now() - 3_700_000).toISOString();

function entries(hunterConnected: boolean) {
  return {
    apiKeys: [
      { provider: 'google_places', isConnected: false },
      { provider: 'hunter_io', isConnected: hunterConnected, maskedKey: '••••9f2c', lastUsed: AN_HOUR_AGO },
      { provider: 'searchbug', isConnected: false, keyName: null, maskedKey: null, lastUsed: null },
    ],
  };
}

const card = (name: string) => within(screen.getByRole('region', { name }));

async function openSettings() {
  const opened = renderApp('/settings');
  await screen.findByRole('region', { name: 'Hunter.io' });
  return opened;
}

beforeEach(seedSession);

test('one card per provider, with what can be done', async () => {
  stubServer({ 'GET /api/keys': () => ok(entries(true)) });
  await openSettings();
  const places = card('Google Places');
  expect(places.getByText('Tier 1')).toBeVisible();
  expect(places.getByText('Required')).toBeVisible();
  expect(places.getByText('about $0.017 per search')).toBeVisible();
  expect(places.getByText('Not connected')).toBeVisible();
  expect(places.getByRole('button', { name: 'Connect' })).toBeVisible();
  expect(places.queryByRole('button', { name: 'Test' })).not.toBeInTheDocument();
  expect(places.getByRole('link', { name: 'Get API Key' })).toHaveAttribute('target', '_blank');
  const hunter = card('Hunter.io');
  expect(hunter.getByText('Connected')).toBeVisible();
  expect(hunter.getByText('••••9f2c')).toBeVisible();
  expect(hunter.getByText('1 hour ago')).toBeVisible();
  expect(hunter.queryByText('Required')).not.toBeInTheDocument();
  for (const name of ['Test', 'Edit', 'Disconnect']) expect(hunter.getByRole('button', { name })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Back to Dashboard' })).toHaveAttribute('href', '/');
});

test('the keys stand under the name that messages use for them', async () => {
  stubServer({ 'GET /api/keys': () => ok(entries(true)) });
  await openSettings();
  const section = screen.getByRole('region', { name: 'API Providers' });
  expect(section).toHaveAttribute('id', 'api-providers');
  expect(within(section).getByRole('heading', { level: 2, name: 'API Providers' })).toBeVisible();
  expect(within(section).getAllByRole('heading', { level: 3 })).toHaveLength(3);
});

test('Test tells how it went', async () => {
  let answer = { valid: true, error: null as string | null };
  const seen = stubServer({ 'GET /api/keys': () => ok(entries(true)), 'POST /api/keys/test': () => ok(answer) });
  const { user } = await openSettings();
  await user.click(card('Hunter.io').getByRole('button', { name: 'Test' }));
  expect(await screen.findByText('Connection successful ✓')).toBeVisible();
  expect(screen.getByText('Hunter.io connection is working')).toBeVisible();
  expect(seen.find((request) => request.method === 'POST')?.body).toEqual({
    provider: 'hunter_io',
    testExisting: true,
  });
  answer = { valid: false, error: 'Hunter.io does not know this key anymore.' };
  await user.click(await card('Hunter.io').findByRole('button', { name: 'Test' }));
  expect(await screen.findByText('Connection failed ✗')).toBeVisible();
  expect(screen.getByText('Hunter.io does not know this key anymore.')).toBeVisible();
});

test('how a test went is told even when its button is gone by then', async () => {
  const answer = Promise.withResolvers<Response>();
  stubServer({ 'GET /api/keys': () => ok(entries(true)), 'POST /api/keys/test': () => answer.promise });
  const { user } = await openSettings();
  await user.click(card('Hunter.io').getByRole('button', { name: 'Test' }));
  await user.click(screen.getByRole('link', { name: 'Back to Dashboard' }));
  await screen.findByRole('heading', { name: 'Dashboard' });
  answer.resolve(refused(401, 'UNAUTHENTICATED', 'Not authenticated'));
  expect(await screen.findByText('Connection failed ✗')).toBeVisible();
});

test('Disconnect asks first, then removes the key and reads the list again', async () => {
  let connected = true;
  const seen = stubServer({
    'GET /api/keys': () => ok(entries(connected)),
    'DELETE /api/keys': () => {
      connected = false;
      return ok({ provider: 'hunter_io' });
    },
  });
  const { user } = await openSettings();
  await user.click(card('Hunter.io').getByRole('button', { name: 'Disconnect' }));
  const dialog = within(screen.getByRole('alertdialog', { name: 'Disconnect Hunter.io?' }));
  expect(
    dialog.getByText("This will permanently remove your API key. You'll need to reconnect to use this service again."),
  ).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Disconnect' }));
  expect(await screen.findByText('Disconnected')).toBeVisible();
  expect(seen.find((request) => request.method === 'DELETE')?.body).toEqual({ provider: 'hunter_io' });
  expect(await card('Hunter.io').findByRole('button', { name: 'Connect' })).toBeVisible();
});

test('a failed disconnection says so and keeps the key', async () => {
  stubServer({
    'GET /api/keys': () => ok(entries(true)),
    'DELETE /api/keys': () => refused(503, 'UNAVAILABLE', 'The database cannot be reached.'),
  });
  const { user } = await openSettings();
  await user.click(card('Hunter.io').getByRole('button', { name: 'Disconnect' }));
  await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Disconnect' }));
  expect(await screen.findByText('Failed to disconnect')).toBeVisible();
  expect(screen.getByText('Failed to delete API key')).toBeVisible();
  expect(screen.getByText('The database cannot be reached.')).toBeVisible();
  expect(card('Hunter.io').getByRole('button', { name: 'Edit' })).toBeVisible();
});

test('keys that cannot be read: a banner, and another try', async () => {
  let broken = true;
  stubServer({
    'GET /api/keys': () => (broken ? refused(403, 'FORBIDDEN', 'Your account is disabled.') : ok(entries(false))),
  });
  const { user } = renderApp('/settings');
  expect(await screen.findByText('Failed to fetch API keys')).toBeVisible();
  expect(screen.getByText('Your account is disabled.')).toBeVisible();
  broken = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('region', { name: 'SearchBug' })).toBeVisible();
  await waitFor(() => expect(screen.queryByText('Failed to fetch API keys')).not.toBeInTheDocument());
});
