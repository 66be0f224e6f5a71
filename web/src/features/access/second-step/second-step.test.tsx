import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { SESSION_STORAGE_KEY } from '#web/lib/session/stored-session.ts';
import { authRefused, ok, refused, renderApp, seedSession, stubServer, testSession } from '#web/test-app.tsx';

const APP = {
  id: '7d0b4d55-2c1c-4a53-8a7e-2d7f3b1f0a01',
  factor_type: 'totp',
  friendly_name: 'Authenticator app',
  status: 'verified',
  created_at: '2026-11-01T08:00:00Z',
  updated_at: '2026-11-01T08:00:00Z',
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
  id: APP.id,
  type: 'totp',
  friendly_name: APP.friendly_name,
  totp: { qr_code: '<svg xmlns="http://www.w3.org/2000/svg"/>', secret: 'ABCDEFGHIJKLMNOP', uri: 'otpauth://totp/x' },
};
const PHONE = {
  ...APP,
  id: '7d0b4d55-2c1c-4a53-8a7e-2d7f3b1f0a02',
  factor_type: 'phone',
  phone: '12175550101',
  friendly_name: 'Phone ending in 0101',
};
/** Backends that send text messages say so. */
const TEXTS = { 'GET /auth/v1/settings': () => Response.json({ external: { email: true, phone: true } }) };
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
  expect(await dialog.findByText(/wrong or was already used/)).toBeVisible();
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

test('the card says when it cannot be read, and reads again', async () => {
  seedSession();
  const answers = { ...OTHERS, 'GET /auth/v1/user': () => authRefused(500, 'unexpected_failure') };
  stubServer(answers);
  const { user } = renderApp('/account');
  const again = await (await card()).findByRole('button', { name: 'Try again' }, { timeout: 8000 });
  answers['GET /auth/v1/user'] = () => Response.json(withFactors([]));
  await user.click(again);
  expect(await (await card()).findByText('Off')).toBeVisible();
}, 15_000);

test('anyone who has one is asked for it before any page, and goes on to it', async () => {
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

test('anyone who is refused for want of one sets it up, and goes on', async () => {
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

test('a phone is set up by the code that was texted, which can be texted again after a minute', async () => {
  seedSession();
  let factors: object[] = [];
  let verify = () => authRefused(422, 'mfa_verification_failed');
  let challenges = 0;
  const seen = stubServer({
    ...OTHERS,
    ...TEXTS,
    'GET /auth/v1/user': () => Response.json(withFactors(factors)),
    'POST /auth/v1/factors': () => Response.json({ id: PHONE.id, type: 'phone', phone: PHONE.phone }),
    [`POST /auth/v1/factors/${PHONE.id}/challenge`]: () =>
      Response.json({ ...CHALLENGE, type: 'phone', id: `challenge-${++challenges}` }),
    [`POST /auth/v1/factors/${PHONE.id}/verify`]: () => verify(),
  });
  const { user } = renderApp('/account');
  await user.click(await (await card()).findByRole('button', { name: 'Use text messages' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Set up codes by text message' }));
  await user.type(dialog.getByLabelText('Phone number'), '217 555 0101{Enter}');
  expect(dialog.getByText(/with its country code, such as/)).toBeVisible();
  expect(seen.filter(({ path }) => path === '/auth/v1/factors')).toEqual([]);
  await user.clear(dialog.getByLabelText('Phone number'));
  await user.type(dialog.getByLabelText('Phone number'), '+1 (217) 555-0101{Enter}');
  const code = await dialog.findByLabelText('6-digit code');
  expect(code).toHaveFocus();
  expect(dialog.getByRole('button', { name: /^Text another code in \d+ s$/ })).toHaveAttribute('aria-disabled', 'true');
  const hourAhead = Date.now() + 3_600_000;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => hourAhead);
  const again = await dialog.findByRole('button', { name: 'Text another code' }, { timeout: 3000 });
  // Turned back before, the clock would count down again at its next tick.
  await user.click(again);
  clock.mockRestore();
  await user.type(code, '000000{Enter}');
  expect(await dialog.findByText(/newest text message/)).toBeVisible();
  verify = () => Response.json(session('aal2', [PHONE]));
  factors = [PHONE];
  await user.click(dialog.getByRole('button', { name: 'Turn on' }));
  expect(await (await card()).findByText('Phone ending in 0101')).toBeVisible();
  expect(seen.find(({ path }) => path === '/auth/v1/factors')?.body).toMatchObject({
    factor_type: 'phone',
    phone: '+12175550101',
    friendly_name: 'Phone ending in 0101',
  });
  const verified = seen.filter(({ path }) => path.endsWith('/verify')).map(({ body }) => body);
  expect(verified.at(-1)).toMatchObject({ challenge_id: 'challenge-2' });
});

test('a number that takes no text messages is told, and stays in its field', async () => {
  seedSession();
  stubServer({
    ...OTHERS,
    ...TEXTS,
    'GET /auth/v1/user': () => Response.json(withFactors([])),
    'POST /auth/v1/factors': () => Response.json({ id: PHONE.id, type: 'phone', phone: PHONE.phone }),
    [`POST /auth/v1/factors/${PHONE.id}/challenge`]: () => authRefused(422, 'sms_send_failed'),
  });
  const { user } = renderApp('/account');
  await user.click(await (await card()).findByRole('button', { name: 'Use text messages' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(dialog.getByLabelText('Phone number'), '+1 217 555 0101{Enter}');
  expect(await dialog.findByText(/No text message can be sent to this number/)).toBeVisible();
  expect(dialog.getByLabelText('Phone number')).toHaveValue('+1 217 555 0101');
});

test('where no text messages are sent, none are offered', async () => {
  seedSession();
  stubServer({ ...OTHERS, 'GET /auth/v1/user': () => Response.json(withFactors([])) });
  renderApp('/account');
  await (await card()).findByRole('button', { name: 'Set up an authenticator app' });
  expect(screen.queryByRole('button', { name: 'Use text messages' })).not.toBeInTheDocument();
});

test('anyone who has a phone is texted a code when they ask, and goes on with it', async () => {
  seed('aal1', [PHONE]);
  const seen = stubServer({
    ...OTHERS,
    'GET /auth/v1/user': () => Response.json(withFactors([PHONE])),
    [`POST /auth/v1/factors/${PHONE.id}/challenge`]: () => Response.json({ ...CHALLENGE, type: 'phone' }),
    [`POST /auth/v1/factors/${PHONE.id}/verify`]: () => Response.json(session('aal2', [PHONE])),
  });
  const { user } = renderApp('/account');
  const ask = await screen.findByRole('button', { name: 'Text me a code' });
  expect(screen.queryByLabelText('6-digit code')).not.toBeInTheDocument();
  expect(seen.filter(({ path }) => path.endsWith('/challenge'))).toEqual([]);
  await user.click(ask);
  await user.type(await screen.findByLabelText('6-digit code'), '123456');
  expect(await screen.findByRole('heading', { name: 'Account Settings' })).toBeVisible();
  expect(seen.filter(({ path }) => path.endsWith('/challenge'))).toHaveLength(1);
});
