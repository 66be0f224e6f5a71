import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { authRefused, ok, renderApp, seedSession, stubServer, testSession } from '#web/test-app.tsx';

const google = {
  identity_id: '7d0b4d55-2c1c-4a53-8a7e-2d7f3b1f0a03',
  id: '1',
  user_id: testSession.user.id,
  provider: 'google',
  identity_data: { email: 'mara@elsewhere.example' },
  created_at: '2026-11-03T08:00:00Z',
};

type Options = Parameters<typeof renderApp>[1];
function open(answers: Parameters<typeof stubServer>[0], options?: Options) {
  seedSession();
  const seen = stubServer({
    'GET /api/keys': () => ok({ apiKeys: [] }),
    'GET /api/account/sessions': () => ok({ sessions: [] }),
    'GET /auth/v1/settings': () => Response.json({ external: { email: true, google: true, 'custom:pier': true } }),
    'GET /auth/v1/user': () => Response.json({ ...testSession.user, identities: [google] }),
    ...answers,
  });
  return { seen, ...renderApp('/account', options) };
}
/** The first one waits for the client's own file too. */
const card = async () => within(await screen.findByRole('region', { name: 'Ways to sign in' }, { timeout: 8000 }));

test('names what is linked and what can be, and unlinks after asking; a refusal says why', async () => {
  const { seen, user } = open(
    {
      'DELETE /auth/v1/user/identities/7d0b4d55-2c1c-4a53-8a7e-2d7f3b1f0a03': () =>
        authRefused(422, 'single_identity_not_deletable'),
    },
    { landingNews: 'identity_linked' },
  );
  const ways = await card();
  expect(await ways.findByText(/^mara@elsewhere\.example · Linked/)).toBeVisible();
  expect(ways.getByRole('button', { name: 'Link Pier' })).toBeVisible();
  expect(ways.getByText('Account linked')).toBeVisible();
  await user.click(ways.getByRole('button', { name: 'Unlink Google' }));
  await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Unlink' }));
  expect(await screen.findByText(/Sign in once with an emailed link/)).toBeVisible();
  expect(ways.queryByText('Account linked')).not.toBeInTheDocument();
  expect(seen.some(({ method }) => method === 'DELETE')).toBe(true);
});

test('a failure is told, with another try', async () => {
  let answer = () => authRefused(500, 'unexpected_failure');
  const { user } = open({ 'GET /auth/v1/user': () => answer() });
  const again = await (await card()).findByRole('button', { name: 'Try again' }, { timeout: 8000 });
  answer = () => Response.json({ ...testSession.user, identities: [] });
  await user.click(again);
  expect(await (await card()).findByRole('button', { name: 'Link Google' })).toBeVisible();
}, 15_000);

test('where nothing can be linked there is no card, and no button at the sign-in', async () => {
  open({ 'GET /auth/v1/settings': () => Response.json({ external: { email: true, google: false } }) });
  await screen.findByRole('region', { name: 'Sessions' });
  expect(screen.queryByRole('region', { name: 'Ways to sign in' })).not.toBeInTheDocument();
});
