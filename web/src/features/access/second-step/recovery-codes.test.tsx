import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { SESSION_STORAGE_KEY } from '#web/lib/session/stored-session.ts';
import { authRefused, ok, renderApp, stubServer, testSession } from '#web/test-app.tsx';

const APP = {
  id: '7d0b4d55-2c1c-4a53-8a7e-2d7f3b1f0a01',
  factor_type: 'totp',
  friendly_name: 'Authenticator app',
  status: 'verified',
  created_at: '2026-11-01T08:00:00Z',
  updated_at: '2026-11-01T08:00:00Z',
};
const person = { ...testSession.user, factors: [APP] };
const session = (aal: string) => ({
  ...testSession,
  access_token: `header.${btoa(JSON.stringify({ aal, exp: 4_102_444_800 }))}.signature`,
  user: person,
});
const seed = (aal: string) => localStorage.setItem(SESSION_STORAGE_KEY, JSON.stringify(session(aal)));
const SET = { id: '7d0b4d55-2c1c-4a53-8a7e-2d7f3b1f0a05', type: 'recovery_code', total: 10 };
const CODES = ['k4m9x7qp2ab8ht3z', '9wze6r5npd4cmq7v'];
const ANSWERS = {
  'GET /api/keys': () => ok({ apiKeys: [] }),
  'GET /api/account/sessions': () => ok({ sessions: [] }),
  'GET /auth/v1/user': () => Response.json(person),
};
const card = async () => within(await screen.findByRole('region', { name: 'Two-step sign-in' }));

beforeEach(() => localStorage.clear());

test('codes are made and shown once, and replaced only after asking', async () => {
  seed('aal2');
  let status = () => authRefused(404, 'mfa_factor_not_found');
  const made = () => {
    status = () => Response.json({ ...SET, remaining: 10 });
    return Response.json({ ...SET, codes: CODES });
  };
  const seen = stubServer({
    ...ANSWERS,
    'GET /auth/v1/factors/recovery-codes': () => status(),
    'POST /auth/v1/factors/recovery-codes': made,
    'POST /auth/v1/factors/recovery-codes/regenerate': made,
  });
  const { user } = renderApp('/account');
  await user.click(await (await card()).findByRole('button', { name: 'Make codes' }));
  const shown = within(await screen.findByRole('dialog', { name: 'Save your recovery codes' }));
  expect(shown.getByText('k4m9-x7qp-2ab8-ht3z')).toBeVisible();
  await user.click(shown.getByRole('button', { name: 'I have saved them' }));
  expect(screen.queryByText('k4m9-x7qp-2ab8-ht3z')).not.toBeInTheDocument();
  expect(await (await card()).findByText('10 of 10 left')).toBeVisible();
  await user.click((await card()).getByRole('button', { name: 'Make new codes' }));
  const ask = within(await screen.findByRole('alertdialog'));
  expect(ask.getByText('Your current codes stop working right away.')).toBeVisible();
  await user.click(ask.getByRole('button', { name: 'Make new codes' }));
  expect(await screen.findByText('9wze-6r5n-pd4c-mq7v')).toBeVisible();
  expect(seen.flatMap(({ method, path }) => (method === 'POST' && path.includes('recovery') ? [path] : []))).toEqual([
    '/auth/v1/factors/recovery-codes',
    '/auth/v1/factors/recovery-codes/regenerate',
  ]);
});

test('anyone who has lost the second step types a recovery code, and a wrong one is told', async () => {
  seed('aal1');
  let verify = () => authRefused(422, 'mfa_verification_failed');
  stubServer({
    ...ANSWERS,
    'GET /auth/v1/factors/recovery-codes': () => Response.json({ ...SET, remaining: 3 }),
    'POST /auth/v1/factors/recovery-codes/verify': () => verify(),
  });
  const { user } = renderApp('/account');
  await user.click(await screen.findByRole('button', { name: 'Use a recovery code instead' }));
  const field = screen.getByLabelText('Recovery code');
  expect(field).toHaveFocus();
  await user.type(field, 'K4M9-X7QP{Enter}');
  expect(await screen.findByText(/wrong or was already used. Try another one/)).toBeVisible();
  expect(field).toHaveValue('K4M9-X7QP');
  verify = () => Response.json(session('aal2'));
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  expect(await screen.findByRole('heading', { name: 'Account Settings' })).toBeVisible();
});

test('without codes, or where the backend has none, nothing offers them', async () => {
  seed('aal1');
  stubServer({
    ...ANSWERS,
    'GET /auth/v1/factors/recovery-codes': () => authRefused(422, 'mfa_recovery_codes_verify_not_enabled'),
  });
  renderApp('/account');
  expect(await screen.findByLabelText('6-digit code')).toBeVisible();
  expect(screen.queryByRole('button', { name: /recovery code/ })).not.toBeInTheDocument();
});
