import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { SESSION_STORAGE_KEY } from '#web/lib/supabase.ts';
import { authRefused, ok, refused, renderApp, seedSession, stubServer, testSession } from '#web/test-app.tsx';

const APP = {
  ...{ id: '7d0b4d55-2c1c-4a53-8a7e-2d7f3b1f0a01', factor_type: 'totp', friendly_name: 'Authenticator app' },
  ...{ status: 'verified', created_at: '2026-11-01T08:00:00Z', updated_at: '2026-11-01T08:00:00Z' },
};
const withFactors = (factors: object[]) => ({ ...testSession.user, factors });
const token = (aal: string) => `header.${btoa(JSON.stringify({ aal, exp: 4_102_444_800 }))}.signature`;
const session = (aal: string, factors: object[]) => ({
  ...testSession,
  access_token: token(aal),
  user: withFactors(factors),
});
const seed = (aal: string, factors: object[]) =>
  localStorage.setItem(SESSION_STORAGE_KEY, JSON.stringify(session(aal, factors)));

/** What Account asks for besides. */
const OTHERS = {
  'GET /api/keys': () => ok({ apiKeys: [] }),
  'GET /api/account/sessions': () => ok({ sessions: [] }),
};
const CHALLENGE = { id: '9d0b4d55-2c1c-4a53-8a7e-2d7f3b1f0a09', type: 'totp', expires_at: 4_102_444_800 };
const ENROLLED = {
  ...{ id: APP.id, type: 'totp', friendly_name: APP.friendly_name },
  totp: { qr_code: '<svg xmlns="http://www.w3.org/2000/svg"/>', secret: 'ABCDEFGHIJKLMNOP', uri: 'otpauth://totp/x' },
};
const card = async () => within(await screen.findByRole('region', { name: 'Two-step sign-in' }));

beforeEach(() => localStorage.clear());

test('set up on the account page: key, code, on; a wrong code is told and stays', async () => {
  seedSession();
  let factors: object[] = [];
  let verify = () => authRefused(422, 'mfa_verification_failed');
  const seen = stubServer({
    ...OTHERS,
    'GET /auth/v1/user': () => Response.json(withFactors(factors)),
    'POST /auth/v1/factors': () => Response.json(ENROLLED),
    [`POST /auth/v1/factors/${APP.id}/challenge`]: () => Response.json(CHALLENGE),
    [`POST /auth/v1/factors/${APP.id}/verify`]: () => verify(),
  });
  const { user } = renderApp('/account');
  expect(await (await card()).findByText('Off')).toBeVisible();
  await user.click((await card()).getByRole('button', { name: 'Set up an authenticator app' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Set up two-step sign-in' }));
  expect(dialog.getByText('ABCD EFGH IJKL MNOP')).toBeVisible();
  expect(dialog.getByRole('img', { name: /QR code/ })).toHaveAttribute(
    'src',
    expect.stringContaining('data:image/svg'),
  );
  await user.type(dialog.getByLabelText('6-digit code'), '000 000{Enter}');
  expect(await dialog.findByText(/wrong or was used already/)).toBeVisible();
  expect(dialog.getByLabelText('6-digit code')).toHaveValue('000000');
  verify = () => Response.json(session('aal2', [APP]));
  factors = [APP];
  await user.click(dialog.getByRole('button', { name: 'Turn on' }));
  expect(await (await card()).findByText('On')).toBeVisible();
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  const enrolled = seen.find(({ path }) => path === '/auth/v1/factors');
  expect(enrolled?.body).toMatchObject({ factor_type: 'totp', issuer: 'Fairlead', friendly_name: 'Authenticator app' });
});

test('given up, it is taken back', async () => {
  seedSession();
  const seen = stubServer({
    ...OTHERS,
    'GET /auth/v1/user': () => Response.json(withFactors([])),
    'POST /auth/v1/factors': () => Response.json(ENROLLED),
    [`DELETE /auth/v1/factors/${APP.id}`]: () => Response.json({ id: APP.id }),
  });
  const { user } = renderApp('/account');
  await user.click(await (await card()).findByRole('button', { name: 'Set up an authenticator app' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(seen.filter(({ method }) => method === 'DELETE')).toHaveLength(1));
});

test('an app is removed after asking', async () => {
  seed('aal2', [APP]);
  let factors = [APP];
  stubServer({
    ...OTHERS,
    'GET /auth/v1/user': () => Response.json(withFactors(factors)),
    [`DELETE /auth/v1/factors/${APP.id}`]: () => {
      factors = [];
      return Response.json({ id: APP.id });
    },
    'POST /auth/v1/token': () => Response.json(session('aal1', [])),
  });
  const { user } = renderApp('/account');
  await user.click(await (await card()).findByRole('button', { name: 'Remove Authenticator app' }));
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Remove' }));
  expect(await (await card()).findByText('Off')).toBeVisible();
});

test('the card says when it can not be read, and reads again', async () => {
  seedSession();
  const answers = { ...OTHERS, 'GET /auth/v1/user': () => authRefused(500, 'unexpected_failure') };
  stubServer(answers);
  const { user } = renderApp('/account');
  const again = await (await card()).findByRole('button', { name: 'Try again' }, { timeout: 8000 });
  answers['GET /auth/v1/user'] = () => Response.json(withFactors([]));
  await user.click(again);
  expect(await (await card()).findByText('Off')).toBeVisible();
}, 15_000);

test('whoever has one is asked for it before any page, and goes on to it', async () => {
  seed('aal1', [APP]);
  const seen = stubServer({
    ...OTHERS,
    'GET /auth/v1/user': () => Response.json(withFactors([APP])),
    [`POST /auth/v1/factors/${APP.id}/challenge`]: () => Response.json(CHALLENGE),
    [`POST /auth/v1/factors/${APP.id}/verify`]: () => Response.json(session('aal2', [APP])),
  });
  const { user } = renderApp('/account');
  const code = await screen.findByLabelText('6-digit code');
  expect(code).toHaveFocus();
  expect(screen.getByRole('heading', { name: 'Enter your second code' })).toBeVisible();
  expect(seen.filter(({ path }) => path.startsWith('/api/'))).toEqual([]);
  await user.type(code, '123456');
  expect(await screen.findByRole('heading', { name: 'Account Settings' })).toBeVisible();
});

test('whoever is refused for want of one sets it up, and goes on', async () => {
  seedSession();
  let keys = () => refused(403, 'SECOND_STEP_REQUIRED');
  stubServer({
    ...OTHERS,
    'GET /api/keys': () => keys(),
    'GET /auth/v1/user': () => Response.json(withFactors([])),
    'POST /auth/v1/factors': () => Response.json(ENROLLED),
    [`POST /auth/v1/factors/${APP.id}/challenge`]: () => Response.json(CHALLENGE),
    [`POST /auth/v1/factors/${APP.id}/verify`]: () => {
      keys = () => ok({ apiKeys: [] });
      return Response.json(session('aal2', [APP]));
    },
  });
  const { user } = renderApp('/account');
  await user.click(await screen.findByRole('button', { name: 'Set up an authenticator app' }));
  await user.type(await screen.findByLabelText('6-digit code'), '123456{Enter}');
  expect(await screen.findByRole('heading', { name: 'Account Settings' })).toBeVisible();
});
