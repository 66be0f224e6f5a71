import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { SESSION_STORAGE_KEY } from '#web/lib/session/stored-session.ts';
import { authRefused, ok, renderApp, seedSession, stubServer, TEST_USER, testSession } from '#web/test-app.tsx';

type Options = NonNullable<Parameters<typeof renderApp>[1]>;
const NEW = 'mara@pier.example';

const pendingUser = (sentAt = new Date().toISOString()) => ({
  ...testSession.user,
  new_email: NEW,
  email_change_sent_at: sentAt,
});

function open(answers: Parameters<typeof stubServer>[0] = {}, options: Options = {}) {
  const seen = stubServer({
    'GET /api/keys': () => ok({ apiKeys: [] }),
    'GET /api/account/sessions': () => ok({ sessions: [] }),
    'GET /auth/v1/user': () => Response.json(pendingUser()),
    ...answers,
  });
  const puts = () => seen.filter(({ method }) => method === 'PUT').map(({ body }) => body);
  return { seen, puts, ...renderApp('/account', options) };
}
const card = async () => within(await screen.findByRole('region', { name: 'Authentication' }));
async function openDialog(user: ReturnType<typeof renderApp>['user']) {
  await user.click((await card()).getByRole('button', { name: 'Change address…' }));
  return within(await screen.findByRole('dialog', { name: 'Change address' }));
}
const seedPending = (sentAt?: string) =>
  localStorage.setItem(SESSION_STORAGE_KEY, JSON.stringify({ ...testSession, user: pendingUser(sentAt) }));

test('asks for the new address by keyboard, and then waits for both mailboxes', async () => {
  seedSession();
  const { seen, puts, user } = open({ 'PUT /auth/v1/user': () => Response.json(pendingUser()) });
  const dialog = await openDialog(user);
  const field = dialog.getByLabelText('New email address');
  expect(field).toHaveFocus();
  expect(dialog.getByText(/A link goes to the new mailbox and to/)).toHaveTextContent(TEST_USER.email);
  await user.type(field, 'mara{Enter}');
  expect(dialog.getByText('Enter an email address such as name@company.com.')).toBeVisible();
  await user.clear(field);
  await user.type(field, `${TEST_USER.email.toUpperCase()}{Enter}`);
  expect(dialog.getByText('This is already your address. Enter the new one.')).toBeVisible();
  expect(puts()).toEqual([]);
  await user.clear(field);
  await user.type(field, ` ${NEW.toUpperCase()}{Enter}`);
  const notice = (await (await card()).findByText('Waiting for both mailboxes')).closest('[role]');
  expect(notice).toHaveTextContent(NEW);
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  expect(puts()).toMatchObject([{ email: NEW }]);
  const put = seen.find(({ method }) => method === 'PUT');
  expect(new URLSearchParams(put?.query).get('redirect_to')).toContain('/account?change=address');
  await waitFor(() => expect(screen.getByRole('button', { name: 'Change address…' })).toHaveFocus());
});

test.each([
  [422, 'email_exists', 'Another account has this address. Sign in with it, or use a different one.'],
  [403, 'access_denied', 'Access denied. Please contact support if you believe this is an error.'],
  [
    429,
    'over_email_send_rate_limit',
    /^Too many requests\. Try again in (60|59) seconds\. What you typed is still here\.$/,
  ],
  [500, 'unexpected_failure', 'Something went wrong. Please try again later.'],
])('%i %s is told, and nothing typed is lost', async (status, code, words) => {
  seedSession();
  const { user } = open({ 'PUT /auth/v1/user': () => authRefused(status, code) });
  const dialog = await openDialog(user);
  await user.type(dialog.getByLabelText('New email address'), `${NEW}{Enter}`);
  expect(await dialog.findByText(words)).toBeVisible();
  expect(dialog.getByLabelText('New email address')).toHaveValue(NEW);
});

test('a change under way can be mailed again and given up', async () => {
  seedPending();
  const { seen, puts, user } = open({
    'POST /auth/v1/resend': () => Response.json({}),
    'POST /auth/v1/token': () => Response.json({ ...testSession, user: pendingUser() }),
    'PUT /auth/v1/user': () => Response.json(testSession.user),
  });
  await user.click(await screen.findByRole('button', { name: 'Send the links again' }));
  expect(await screen.findByText('Links sent again')).toBeVisible();
  const resent = seen.find(({ path }) => path.endsWith('/resend'));
  expect(resent?.body).toMatchObject({ type: 'email_change', email: TEST_USER.email });
  await user.click(screen.getByRole('button', { name: 'Cancel the change' }));
  expect(await screen.findByText('Change canceled')).toBeVisible();
  expect(puts()).toMatchObject([{ email: TEST_USER.email }]);
  expect(screen.queryByText('Waiting for both mailboxes')).not.toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Change address…' })).toHaveFocus();
});

test('where a backend cannot give it up, it says how it ends', async () => {
  seedPending();
  const { user } = open({ 'PUT /auth/v1/user': () => Response.json(pendingUser()) });
  await user.click(await screen.findByRole('button', { name: 'Cancel the change' }));
  expect(await screen.findByText(/You do not need to do anything. The links expire within an hour/)).toBeVisible();
  expect(screen.getByText('Waiting for both mailboxes')).toBeVisible();
});

test('a change whose links have run out can be begun again', async () => {
  seedPending(new Date(Date.now() - 3_700_000).toISOString());
  const { user } = open();
  expect(await screen.findByText('Your address change expired')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Begin again…' }));
  expect(await screen.findByLabelText('New email address')).toHaveValue(NEW);
});

test('a change that was confirmed elsewhere is noticed', async () => {
  seedPending();
  const changed = { ...testSession.user, email: NEW };
  open({
    'GET /auth/v1/user': () => Response.json(changed),
    'POST /auth/v1/token': () => Response.json({ ...testSession, user: changed }),
  });
  expect(await (await card()).findByText(NEW, { selector: 'p' })).toBeVisible();
  expect(await screen.findByText('Your address has changed')).toBeVisible();
  await waitFor(() => expect(screen.queryByText('Waiting for both mailboxes')).not.toBeInTheDocument());
});

test('the first of the two links is told of', async () => {
  seedPending();
  open({}, { landingNews: 'address_half' });
  expect(await (await card()).findByText('This mailbox is confirmed')).toBeVisible();
});

test('a link opened where no one is signed in is told at the sign-in', async () => {
  stubServer({});
  renderApp('/login', { landingNews: 'address_changed' });
  expect(await screen.findByText('Your address has changed')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Send magic link' })).toBeVisible();
});
