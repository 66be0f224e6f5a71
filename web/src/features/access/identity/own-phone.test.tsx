import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { AppConfig } from '#contract/config.ts';
import { SESSION_STORAGE_KEY } from '#web/lib/session/stored-session.ts';
import { authRefused, ok, renderApp, stubServer, testSession } from '#web/test-app.tsx';

const NEW = '+1 217-555-0142';
const FACTOR = {
  id: '7d0b4d55-2c1c-4a53-8a7e-2d7f3b1f0a02',
  factor_type: 'phone',
  friendly_name: 'Phone',
  status: 'verified',
  created_at: '2026-11-01T08:00:00Z',
  updated_at: '2026-11-01T08:00:00Z',
  phone: '12175550199',
};
const IDENTITY = { identity_id: '5a0b4d55-2c1c-4a53-8a7e-2d7f3b1f0a05', id: 'x', user_id: 'x', provider: 'phone' };

const withPhone = (phone: string) => ({
  ...testSession,
  user: { ...testSession.user, ...(phone ? { phone, phone_confirmed_at: '2026-11-01T08:00:00Z' } : {}) },
});

function open(phone: string, answers: Parameters<typeof stubServer>[0] = {}, config: Partial<AppConfig> = {}) {
  localStorage.setItem(SESSION_STORAGE_KEY, JSON.stringify(withPhone(phone)));
  const given: Parameters<typeof stubServer>[0] = {
    'GET /auth/v1/settings': () => Response.json({ external: { email: true, phone: true } }),
    'GET /api/keys': () => ok({ apiKeys: [] }),
    'GET /api/account/sessions': () => ok({ sessions: [] }),
    'GET /auth/v1/user': () => Response.json(withPhone(phone).user),
    ...answers,
  };
  return { given, seen: stubServer(given), ...renderApp('/account', { config }) };
}
const card = async () => within(await screen.findByRole('region', { name: 'Authentication' }));
async function openDialog(user: ReturnType<typeof renderApp>['user'], button: string) {
  await user.click(await (await card()).findByRole('button', { name: button }));
  return within(await screen.findByRole('dialog'));
}

beforeEach(() => localStorage.clear());

test('a number is added by keyboard, and the session that the code replaces ends', async () => {
  let verify = () => authRefused(403, 'otp_expired');
  const { seen, user } = open('', {
    'PUT /auth/v1/user': () => Response.json(withPhone('').user),
    'POST /auth/v1/verify': () => verify(),
    'POST /auth/v1/logout': () => new Response(null, { status: 204 }),
  });
  const dialog = await openDialog(user, 'Add number…');
  expect(dialog.getByLabelText('Phone number')).toHaveFocus();
  await user.type(dialog.getByLabelText('Phone number'), `${NEW}{Enter}`);
  const code = await dialog.findByLabelText('6-digit code');
  expect(code).toHaveFocus();
  await user.click(dialog.getByRole('button', { name: 'Use a different number' }));
  expect(dialog.getByLabelText('Phone number')).toHaveFocus();
  await user.type(dialog.getByLabelText('Phone number'), '{Enter}');
  await user.type(await dialog.findByLabelText('6-digit code'), '000000{Enter}');
  expect(await dialog.findByText(/newest text message/)).toBeVisible();
  verify = () => Response.json({ ...withPhone('12175550142'), access_token: 'header.payload.newer' });
  await user.click(dialog.getByRole('button', { name: 'Confirm' }));
  expect(await (await card()).findByText(NEW)).toBeVisible();
  await waitFor(() => expect(screen.getByRole('button', { name: 'Change number…' })).toHaveFocus());
  expect(seen.find(({ method }) => method === 'PUT')?.body).toMatchObject({ phone: '+12175550142' });
  const logout = seen.find(({ path }) => path === '/auth/v1/logout');
  expect(logout?.query).toBe('?scope=local');
  expect(logout?.headers.get('Authorization')).toBe(`Bearer ${testSession.access_token}`);
});

test('a code that was texted for another account signs no one into that', async () => {
  const theirs = { ...withPhone('12175550142'), access_token: 'header.payload.theirs' };
  const { seen, user } = open('', {
    'PUT /auth/v1/user': () => Response.json(withPhone('').user),
    'POST /auth/v1/verify': () =>
      Response.json({ ...theirs, user: { ...theirs.user, id: '1a0b4d55-2c1c-4a53-8a7e-2d7f3b1f0a09' } }),
    'POST /auth/v1/logout': () => new Response(null, { status: 204 }),
  });
  const dialog = await openDialog(user, 'Add number…');
  await user.type(dialog.getByLabelText('Phone number'), `${NEW}{Enter}`);
  await user.type(await dialog.findByLabelText('6-digit code'), '123456{Enter}');
  expect(await screen.findByText(/That code was for another account/)).toBeVisible();
  expect(localStorage.getItem(SESSION_STORAGE_KEY)).toBeNull();
  const ended = seen
    .filter(({ path }) => path === '/auth/v1/logout')
    .map(({ headers }) => headers.get('Authorization'));
  expect(ended).toEqual([`Bearer ${testSession.access_token}`, 'Bearer header.payload.theirs']);
});

test('what cannot be the number is told without asking, and what the backend refuses, too; nothing typed is lost', async () => {
  const { given, seen, user } = open('12175550142', {
    'GET /auth/v1/user': () => Response.json({ ...withPhone('12175550142').user, factors: [FACTOR] }),
    'PUT /auth/v1/user': () => authRefused(422, 'phone_exists'),
  });
  await screen.findByRole('button', { name: 'Remove Phone' });
  const dialog = await openDialog(user, 'Change number…');
  const field = dialog.getByLabelText('Phone number');
  await user.type(field, `${NEW}{Enter}`);
  expect(dialog.getByText(/This is already your number/)).toBeVisible();
  await user.clear(field);
  await user.type(field, '+1 217 555 0199{Enter}');
  expect(dialog.getByText(/This number is your second step/)).toBeVisible();
  expect(seen.filter(({ method }) => method === 'PUT')).toEqual([]);
  await user.clear(field);
  await user.type(field, '+1 217 555 0143{Enter}');
  expect(await dialog.findByText('Another account has this number. Use a different one.')).toBeVisible();
  given['PUT /auth/v1/user'] = () => authRefused(401, 'insufficient_aal');
  await user.type(field, '{Enter}');
  expect(await dialog.findByRole('alert')).toHaveTextContent('sign in again with your second step');
  expect(field).toHaveValue('+1 217 555 0143');
});

test('anyone who signed in a while ago proves it by a mailed code', async () => {
  const { given, seen, user } = open('', {
    'PUT /auth/v1/user': () => authRefused(400, 'reauthentication_needed'),
    'GET /auth/v1/reauthenticate': () => Response.json({}),
  });
  const dialog = await openDialog(user, 'Add number…');
  await user.type(dialog.getByLabelText('Phone number'), `${NEW}{Enter}`);
  const question = within(await screen.findByRole('dialog', { name: 'Confirm it’s you' }));
  expect(await question.findByText(/We emailed a code to/)).toHaveTextContent(testSession.user.email);
  given['PUT /auth/v1/user'] = () => Response.json(withPhone('').user);
  await user.type(question.getByLabelText('6-digit code'), '123456');
  expect(await screen.findByText(/We texted a code to/)).toBeVisible();
  const DIALED = NEW.replaceAll(/[ -]/g, '');
  const puts = seen.filter(({ method }) => method === 'PUT').map(({ body }) => body);
  expect(puts).toMatchObject([{ phone: DIALED }, { nonce: '123456' }, { phone: DIALED }]);
});

test('a number that is the second step says that it does not sign in; it is removed after asking', async () => {
  const user0 = { ...withPhone(FACTOR.phone).user, factors: [FACTOR], identities: [IDENTITY] };
  const { given, user } = open(FACTOR.phone, {
    'GET /auth/v1/user': () => Response.json(user0),
    [`DELETE /auth/v1/user/identities/${IDENTITY.identity_id}`]: () => authRefused(404, 'manual_linking_disabled'),
    'POST /auth/v1/token': () => Response.json(withPhone('')),
  });
  expect(await (await card()).findByText(/It is your second step, so it cannot also sign you in/)).toBeVisible();
  const remove = async () => {
    await user.click(await (await card()).findByRole('button', { name: 'Remove number' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Remove' }));
  };
  await remove();
  expect(await screen.findByText(/You cannot remove a number here/)).toBeVisible();
  given[`DELETE /auth/v1/user/identities/${IDENTITY.identity_id}`] = () => Response.json({});
  await remove();
  expect(await (await card()).findByRole('button', { name: 'Add number…' })).toBeVisible();
});

test('at hosted Supabase, which lets the second step sign in, that is said', async () => {
  const user = { ...withPhone(FACTOR.phone).user, factors: [FACTOR] };
  const config = { backendUrl: 'https://project.supabase.example' };
  open(FACTOR.phone, { 'GET /auth/v1/user': () => Response.json(user) }, config);
  expect(await (await card()).findByText(/one phone covers both/)).toBeVisible();
});
