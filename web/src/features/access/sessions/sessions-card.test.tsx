import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ok, refused, renderApp, seedSession, stubServer } from '#web/test-app.tsx';

const HERE = {
  id: '7d0b4d55-2c1c-4a53-8a7e-2d7f3b1f0a01',
  device: 'Chrome on Windows',
  ip: '192.0.2.4',
  signedInAt: '2026-11-01T08:00:00Z',
  lastUsedAt: '2026-11-02T08:00:00Z',
  endsAt: '2100-01-01T08:00:00Z',
  isCurrent: true,
};
const PHONE = {
  ...HERE,
  id: '7d0b4d55-2c1c-4a53-8a7e-2d7f3b1f0a02',
  device: 'Safari on iPhone',
  ip: null,
  isCurrent: false,
};

function open(sessions: () => Response) {
  seedSession();
  const seen = stubServer({
    'GET /api/keys': () => ok({ apiKeys: [] }),
    'GET /api/account/sessions': sessions,
    'DELETE /api/account/sessions': () => ok({ id: PHONE.id }),
    'POST /auth/v1/logout': () => new Response(null, { status: 204 }),
  });
  return { seen, ...renderApp('/account') };
}
const card = async () => within(await screen.findByRole('region', { name: 'Sessions' }));

test('shows each session, and ends another one after asking', async () => {
  let left = [HERE, PHONE];
  const { seen, user } = open(() => ok({ sessions: left }));
  const sessions = await card();
  expect(await sessions.findByText('Chrome on Windows')).toBeVisible();
  expect(sessions.getByText('This session')).toBeVisible();
  expect(sessions.getAllByText((_, shown) => /^Ends .+ unless used$/.test(shown?.textContent ?? ''))).toHaveLength(2);
  expect(sessions.getByText('192.0.2.4')).toBeVisible();
  await user.click(sessions.getByRole('button', { name: 'End the session of Safari on iPhone' }));
  left = [HERE];
  await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'End session' }));
  await waitFor(() => expect(sessions.queryByText('Safari on iPhone')).not.toBeInTheDocument());
  expect(seen.find((one) => one.method === 'DELETE')?.body).toEqual({ id: PHONE.id });
  expect(sessions.queryByRole('button')).not.toBeInTheDocument();
});

test('ends all others, and stays signed in here', async () => {
  const { seen, user } = open(() => ok({ sessions: [HERE, PHONE] }));
  const sessions = await card();
  await user.click(await sessions.findByRole('button', { name: 'End all others' }));
  await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'End all others' }));
  expect(await screen.findByText('All other sessions ended')).toBeVisible();
  expect(seen.find((one) => one.path === '/auth/v1/logout')?.query).toBe('?scope=others');
  // Still told of: one that only we can end.
  expect(seen.find((one) => one.method === 'DELETE')?.body).toEqual({ id: PHONE.id });
  expect(sessions.getByText('This session')).toBeVisible();
});

test('a failure is told, with another try', async () => {
  let answer = () => refused(503, 'UNAVAILABLE', 'The database cannot be reached right now.');
  const { user } = open(() => answer());
  const sessions = await card();
  const again = await sessions.findByRole('button', { name: 'Try again' }, { timeout: 8000 });
  expect(sessions.getByText('The database cannot be reached right now.')).toBeVisible();
  answer = () => ok({ sessions: [HERE] });
  await user.click(again);
  expect(await sessions.findByText('Chrome on Windows')).toBeVisible();
}, 15_000);
