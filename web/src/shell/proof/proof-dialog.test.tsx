import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { deleteAccountEndpoint } from '#contract/account/account.ts';
import { callApi } from '#web/lib/backend/api-client.ts';
import { askForProof, NOT_CONFIRMED, settleProof } from '#web/lib/session/fresh-proof.ts';
import { SESSION_STORAGE_KEY } from '#web/lib/session/stored-session.ts';
import {
  authRefused,
  ok,
  refused,
  renderApp,
  seedSession,
  stubServer,
  TEST_USER,
  testSession,
} from '#web/test-app.tsx';

type Answers = Parameters<typeof stubServer>[0];
const APP = {
  id: 'f1',
  factor_type: 'totp',
  status: 'verified',
  friendly_name: 'Authenticator app',
  created_at: '2026-01-01',
};
const NEW = 'mara@pier.example';

afterEach(() => settleProof(false));

/** A server that wants a proof until the code 123456 has come, or a second step was proven. */
function open(answers: Answers = {}, factors: object[] = []) {
  seedSession();
  let isFresh = false;
  const user = { ...testSession.user, factors };
  const wanted = (done: () => Response) => () => (isFresh ? done() : authRefused(400, 'reauthentication_needed'));
  const seen = stubServer({
    'GET /api/keys': () => ok({ apiKeys: [] }),
    'GET /api/account/sessions': () => ok({ sessions: [] }),
    'GET /auth/v1/user': () => Response.json(user),
    'GET /auth/v1/reauthenticate': () => Response.json({}),
    'PUT /auth/v1/user': ({ body }) => {
      const { nonce } = body as { nonce?: string };
      if (nonce === undefined)
        return wanted(() =>
          Response.json({ ...user, new_email: NEW, email_change_sent_at: new Date().toISOString() }),
        )();
      if (nonce !== '123456') return authRefused(422, 'reauthentication_not_valid');
      isFresh = true;
      return Response.json(user);
    },
    'POST /auth/v1/factors/f1/challenge': () => Response.json({ id: 'c1', type: 'totp', expires_at: 4_102_444_800 }),
    'POST /auth/v1/factors/f1/verify': () => {
      isFresh = true;
      return Response.json({ ...testSession, user });
    },
    'DELETE /api/account': () => (isFresh ? ok({ id: TEST_USER.id }) : refused(403, 'FRESH_PROOF_REQUIRED')),
    ...answers,
  });
  return { seen, ...renderApp('/account') };
}
const question = () => screen.findByRole('dialog', { name: 'Confirm it’s you' });
const mailed = (seen: { path: string }[]) => seen.filter(({ path }) => path.endsWith('/reauthenticate')).length;

async function changeAddress(user: ReturnType<typeof renderApp>['user']) {
  await user.click(await screen.findByRole('button', { name: 'Change address…' }));
  await user.type(await screen.findByLabelText('New email address'), `${NEW}{Enter}`);
}

test('an address is changed once a mailed code is typed, and nothing typed before is lost', async () => {
  const { seen, user } = open();
  await changeAddress(user);
  const dialog = within(await question());
  const code = await dialog.findByLabelText('6-digit code');
  await waitFor(() => expect(code).toHaveFocus());
  await waitFor(() => expect(code).toHaveAccessibleDescription(/We emailed a code to/));
  expect(mailed(seen)).toBe(1);
  await user.type(code, '999999');
  expect(await dialog.findByText(/That code is wrong or has expired/)).toBeVisible();
  await user.clear(code);
  await user.type(code, '123456');
  expect(await screen.findByText('Waiting for both mailboxes')).toBeVisible();
  const puts = seen.filter(({ method, path }) => method === 'PUT' && path === '/auth/v1/user').map(({ body }) => body);
  expect(puts).toMatchObject([{ email: NEW }, { nonce: '999999' }, { nonce: '123456' }, { email: NEW }]);
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

test('closing it changes nothing, and says so where the act was begun', async () => {
  const { seen, user } = open();
  await changeAddress(user);
  await within(await question()).findByLabelText('6-digit code');
  await user.keyboard('{Escape}');
  const dialog = within(await screen.findByRole('dialog', { name: 'Change address' }));
  expect(await dialog.findByText(NOT_CONFIRMED)).toBeVisible();
  expect(dialog.getByLabelText('New email address')).toHaveValue(NEW);
  expect(seen.filter(({ method }) => method === 'PUT')).toHaveLength(1);
});

test('a product call goes on after it, with the body it had', async () => {
  const { seen, user } = open();
  await screen.findByRole('button', { name: 'Change address…' });
  const deleted = callApi(deleteAccountEndpoint, { body: { email: TEST_USER.email } });
  await user.type(await within(await question()).findByLabelText('6-digit code'), '123456');
  await expect(deleted).resolves.toEqual({ id: TEST_USER.id });
  const tries = seen.filter(({ path }) => path === '/api/account');
  expect(tries.map(({ body }) => body)).toEqual([{ email: TEST_USER.email }, { email: TEST_USER.email }]);
});

test('a second step takes the place of the mail', async () => {
  const { seen, user } = open({}, [APP]);
  await screen.findByRole('button', { name: 'Change address…' });
  const deleted = callApi(deleteAccountEndpoint, { body: { email: TEST_USER.email } });
  await user.type(await within(await question()).findByLabelText('6-digit code'), '654321');
  await expect(deleted).resolves.toEqual({ id: TEST_USER.id });
  expect(mailed(seen)).toBe(0);
});

test.each([
  [429, 'over_request_rate_limit', 'Too many codes were entered. Wait an hour, then try again.'],
  [500, 'unexpected_failure', 'Something went wrong. Please try again later.'],
])('%i %s is told, and the code stays', async (status, code, words) => {
  const { user } = open({ 'PUT /auth/v1/user': () => authRefused(status, code) });
  await screen.findByRole('button', { name: 'Change address…' });
  void askForProof();
  const field = await within(await question()).findByLabelText('6-digit code');
  await user.type(field, '111111');
  expect(await screen.findByText(words)).toBeVisible();
  expect(field).toHaveValue('111111');
});

test('a code that cannot be mailed is told, and another one waits for its time', async () => {
  const { user } = open({ 'GET /auth/v1/reauthenticate': () => authRefused(429, 'over_email_send_rate_limit') });
  await screen.findByRole('button', { name: 'Change address…' });
  void askForProof();
  const dialog = within(await question());
  expect(await dialog.findByText(/We cannot email another code yet/)).toBeVisible();
  expect(dialog.getByRole('button', { name: /Send another code in \d+ s/ })).toHaveAttribute('aria-disabled', 'true');
  await user.type(dialog.getByLabelText('6-digit code'), '123456');
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
});

test('anyone who signs out meanwhile is asked nothing, and nothing is done', async () => {
  open();
  await screen.findByRole('button', { name: 'Change address…' });
  const answer = askForProof();
  await question();
  localStorage.removeItem(SESSION_STORAGE_KEY);
  const { getSupabase } = await import('#web/lib/backend/supabase.ts');
  await act(async () => void (await (await getSupabase()).auth.signOut({ scope: 'local' })));
  await expect(answer).resolves.toBe(false);
  expect(screen.queryByRole('dialog', { name: 'Confirm it’s you' })).not.toBeInTheDocument();
});
