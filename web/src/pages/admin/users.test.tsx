import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { AdminUser } from '#contract/admin/users.ts';
import { ok, refused, renderApp, seedAdminSession, seedSession, stubServer, TEST_USER } from '#web/test-app.tsx';

const aUser = (user: Partial<AdminUser> = {}): AdminUser => ({
  id: 'user-1',
  email: 'ann@people.example',
  role: 'user',
  status: 'active',
  last_sign_in_at: new Date(Date.now() - 3_700_000).toISOString(),
  second_step: false,
  keap_tag_status: null,
  ...user,
});
const ME = aUser({ id: TEST_USER.id, email: TEST_USER.email, role: 'admin' });
const DAY_MS = 86_400_000;
const INVITATION = {
  id: 'invitation-1',
  email: 'guest@people.example',
  role: 'admin',
  created_at: new Date(Date.now() - 2 * DAY_MS).toISOString(),
  expires_at: '2030-05-04T12:00:00Z',
};
const SENT = { ...INVITATION, access_denial: null };

/** A server with these users and invitations, which a test may change. */
function serve(users: AdminUser[], invitations: object[] = []) {
  const state = { users, invitations };
  const answers: Parameters<typeof stubServer>[0] = {
    'GET /api/admin/users/list': () => ok({ items: state.users }),
    'GET /api/admin/users/invitations': () => ok({ items: state.invitations }),
  };
  return { state, answers, seen: stubServer(answers) };
}

const rowOf = (email: string) => within(screen.getByText(email).closest('tr') ?? document.body);
const open = async () => {
  const opened = renderApp('/admin/users');
  await screen.findByRole('region', { name: 'Users' });
  return opened;
};

/** The shell sends some of its own. */
const isPost = ({ method, path }: { method: string; path: string }) =>
  method === 'POST' && path.startsWith('/api/admin/');

beforeEach(seedAdminSession);

test('who is refused is told so, with a way back', async () => {
  seedSession();
  stubServer({
    'GET /api/admin/users/list': () => refused(403, 'FORBIDDEN', 'Only administrators can do this.'),
  });
  renderApp('/admin/users');
  expect(await screen.findByText('Administrators only')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Back to Dashboard' })).toHaveAttribute('href', '/');
  expect(screen.queryByText('Add User')).not.toBeInTheDocument();
});

test('users that cannot be read: why, and another try', async () => {
  const { answers } = serve([ME]);
  const works = answers['GET /api/admin/users/list'];
  answers['GET /api/admin/users/list'] = () => refused(422, 'VALIDATION_FAILED', 'Not today.');
  const { user } = renderApp('/admin/users');
  expect(await screen.findByText('The users could not be loaded')).toBeVisible();
  expect(screen.getByText('Not today.')).toBeVisible();
  if (works) answers['GET /api/admin/users/list'] = works;
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('region', { name: 'Users' })).toBeVisible();
});

test('the table: columns, relative last login, Never, and what the CRM said', async () => {
  serve([
    ME,
    aUser({ keap_tag_status: 'granted' }),
    aUser({ id: '2', email: 'bo@people.example', last_sign_in_at: null }),
  ]);
  await open();
  expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toEqual([
    'Email',
    'Role',
    'Status',
    'Last Login',
    'CRM',
  ]);
  const ann = rowOf('ann@people.example');
  expect(ann.getByText('1 hour ago')).toBeVisible();
  expect(ann.getByText('Granted')).toBeVisible();
  const bo = rowOf('bo@people.example');
  expect(bo.getByText('Never')).toBeVisible();
  expect(bo.getByText('Not checked')).toBeVisible();
  expect(screen.getByText('Showing 1-3 of 3 users')).toBeVisible();
});

test('no one can change their own role or status here, and it says why', async () => {
  serve([ME]);
  await open();
  for (const name of [`Role of ${ME.email}`, `Status of ${ME.email}`]) {
    expect(screen.getByRole('combobox', { name })).toBeDisabled();
    expect(screen.getByRole('combobox', { name })).toHaveAccessibleDescription(
      'Another admin can change your role or status.',
    );
  }
});

test('a role is changed in place, at once, and the list is read again', async () => {
  const { state, answers, seen } = serve([ME, aUser()]);
  let answer: (response: Response) => void = () => {};
  answers['POST /api/admin/users/set-role'] = () => new Promise((resolve) => (answer = resolve));
  const { user } = await open();
  const role = () => screen.getByRole('combobox', { name: 'Role of ann@people.example' });
  await user.click(role());
  await user.click(await screen.findByRole('option', { name: 'Admin' }));
  expect(role()).toHaveTextContent('Admin');
  await waitFor(() => expect(seen.find(isPost)?.body).toEqual({ user_id: 'user-1', role: 'admin' }));
  const reads = seen.filter(({ path }) => path.endsWith('/list')).length;
  state.users = [ME, aUser({ role: 'admin' })];
  answer(ok(aUser({ role: 'admin' })));
  expect(await screen.findByText('Role changed')).toBeVisible();
  await waitFor(() => expect(seen.filter(({ path }) => path.endsWith('/list')).length).toBe(reads + 1));
});

test('a refused change is taken back, with the reason', async () => {
  const { answers } = serve([ME, aUser({ role: 'admin' })]);
  answers['POST /api/admin/users/set-status'] = () =>
    refused(409, 'CONFLICT', 'This is the last active administrator.');
  const { user } = await open();
  await user.click(screen.getByRole('combobox', { name: 'Status of ann@people.example' }));
  await user.click(await screen.findByRole('option', { name: 'Disabled' }));
  expect(await screen.findByText('Status change failed')).toBeVisible();
  expect(screen.getByText('This is the last active administrator.')).toBeVisible();
  expect(screen.getByRole('combobox', { name: 'Status of ann@people.example' })).toHaveTextContent('Active');
});

test('choices that come quickly are sent one after the other, and the last one stays', async () => {
  const { state, answers, seen } = serve([ME, aUser()]);
  const waiting: ((response: Response) => void)[] = [];
  answers['POST /api/admin/users/set-role'] = () => new Promise((resolve) => waiting.push(resolve));
  const { user } = await open();
  const role = () => screen.getByRole('combobox', { name: 'Role of ann@people.example' });
  for (const name of ['Admin', 'User']) {
    await user.click(role());
    await user.click(await screen.findByRole('option', { name }));
    expect(role()).toHaveTextContent(name);
  }
  await waitFor(() => expect(waiting).toHaveLength(1));
  state.users = [ME, aUser({ role: 'admin' })];
  waiting[0]?.(ok(aUser({ role: 'admin' })));
  await waitFor(() => expect(waiting).toHaveLength(2));
  expect(role()).toHaveTextContent('User');
  expect(seen.filter(isPost).map(({ body }) => body)).toEqual([
    { user_id: 'user-1', role: 'admin' },
    { user_id: 'user-1', role: 'user' },
  ]);
  waiting[1]?.(refused(409, 'CONFLICT', 'Not now.'));
  expect(await screen.findByText('Role change failed')).toBeVisible();
  expect(role()).toHaveTextContent('Admin');
});

test('ten thousand users: one page of 25, searched, sorted and paged by the address', async () => {
  const many = Array.from({ length: 10_000 }, (_, index) =>
    aUser({ id: `user-${index}`, email: `person${index}@people.example`, last_sign_in_at: null }),
  );
  serve(many);
  const { user, router } = await open();
  expect(screen.getAllByRole('row')).toHaveLength(26);
  expect(screen.getByText('Showing 1-25 of 10000 users')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Next' }));
  expect(router.state.location.search).toBe('?page=2');
  expect(await screen.findByText('person25@people.example')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Email' }));
  expect(router.state.location.search).toBe('?sort=email.desc');
  await waitFor(() => expect(screen.getAllByRole('row')[1]).toHaveTextContent('person9999@people.example'));
  await user.type(screen.getByRole('searchbox', { name: 'Search users by email' }), 'PERSON123@');
  expect(await screen.findByText('Showing 1-1 of 1 users')).toBeVisible();
  expect(router.state.location.search).toBe('?sort=email.desc&q=PERSON123%40');
  await user.type(screen.getByRole('searchbox', { name: 'Search users by email' }), 'nowhere');
  expect(await screen.findByText('No users match')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Clear search' }));
  expect(await screen.findByText('Showing 1-25 of 10000 users')).toBeVisible();
});

test('an invitation: empty sends nothing, a wrong address is told, a good one is sent', async () => {
  const { state, answers, seen } = serve([ME]);
  answers['POST /api/admin/users/invite'] = () => {
    state.invitations = [INVITATION];
    return ok(SENT);
  };
  const { user } = await open();
  const card = within(screen.getByRole('region', { name: 'Add User' }));
  const send = card.getByRole('button', { name: 'Send Invite' });
  expect(send).toBeDisabled();
  expect(await screen.findByText('No pending invitations.')).toBeVisible();
  await user.type(card.getByLabelText('Email'), 'guest');
  await user.click(send);
  expect(card.getByText('Enter an email address such as name@company.com.')).toBeVisible();
  expect(seen.some(isPost)).toBe(false);
  await user.type(card.getByLabelText('Email'), '@People.example ');
  await user.click(card.getByRole('combobox', { name: 'Role' }));
  await user.click(await screen.findByRole('option', { name: 'Admin' }));
  await user.click(send);
  expect(await screen.findByText('Invitation sent')).toBeVisible();
  expect(seen.find(isPost)?.body).toEqual({ email: 'guest@people.example', role: 'admin' });
  expect(card.getByLabelText('Email')).toHaveValue('');
  expect(await screen.findByText('Expires May 4, 2030')).toBeVisible();
  expect(screen.getByText('Sent 2 days ago')).toBeVisible();
});

test('anyone who types on while an invitation goes out keeps the next address, and hears how it went', async () => {
  const { answers } = serve([ME]);
  let answer: (response: Response) => void = () => {};
  answers['POST /api/admin/users/invite'] = () => new Promise((resolve) => (answer = resolve));
  const { user } = await open();
  await user.type(screen.getByLabelText('Email'), 'guest@people.example{Enter}');
  await user.clear(screen.getByLabelText('Email'));
  await user.type(screen.getByLabelText('Email'), 'next@people.example');
  answer(ok({ ...SENT, access_denial: 'MISSING_TAG' }));
  expect(await screen.findByText('Invitation sent')).toBeVisible();
  expect(screen.getByLabelText('Email')).toHaveValue('next@people.example');
  expect(screen.getByText(/guest@people.example has none of the required tags/)).toBeVisible();
});

test('an invitation that fails keeps what was typed, and shows the invitation that stands', async () => {
  const { state, answers } = serve([ME]);
  answers['POST /api/admin/users/invite'] = () => {
    state.invitations = [INVITATION];
    return refused(502, 'MAIL_FAILED', 'The invitation is saved, but its email could not be sent.');
  };
  const { user } = await open();
  await user.type(screen.getByLabelText('Email'), 'guest@people.example{Enter}');
  expect(await screen.findByText('The invitation is saved, but its email could not be sent.')).toBeVisible();
  expect(screen.getByLabelText('Email')).toHaveValue('guest@people.example');
  expect(await screen.findByRole('button', { name: 'Resend to guest@people.example' })).toBeVisible();
});

test('pending invitations are sent again, and withdrawn after a question', async () => {
  const { state, answers, seen } = serve([ME], [{ ...INVITATION, expires_at: '2026-01-02T12:00:00Z' }]);
  answers['POST /api/admin/users/invitations/resend'] = () => ok(SENT);
  answers['POST /api/admin/users/invitations/withdraw'] = () => {
    state.invitations = [];
    return ok({ id: INVITATION.id });
  };
  const { user } = await open();
  expect(await screen.findByText('Expired Jan 2, 2026')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Resend to guest@people.example' }));
  expect(await screen.findByText('Invitation sent again')).toBeVisible();
  expect(seen.find(({ path }) => path.endsWith('/resend'))?.body).toEqual({ id: INVITATION.id });
  await user.click(screen.getByRole('button', { name: 'Withdraw the invitation of guest@people.example' }));
  const dialog = within(screen.getByRole('alertdialog', { name: 'Withdraw this invitation?' }));
  await user.click(dialog.getByRole('button', { name: 'Withdraw' }));
  expect(await screen.findByText('Invitation withdrawn')).toBeVisible();
  expect(await screen.findByText('No pending invitations.')).toBeVisible();
  await waitFor(() => expect(screen.getByRole('region', { name: 'Pending invitations' })).toHaveFocus());
});

test('CRM Access: checking, granted with the tags, denied', async () => {
  const { answers, seen } = serve([ME, aUser()]);
  let answer: (response: Response) => void = () => {};
  answers['GET /api/admin/keap/user-access'] = () => new Promise((resolve) => (answer = resolve));
  const { user } = await open();
  await user.click(screen.getByRole('button', { name: 'View Keap Tags of ann@people.example' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'CRM Access' }));
  expect(dialog.getByText('Checking…')).toBeVisible();
  await waitFor(() =>
    expect(seen.find(({ path }) => path.endsWith('/user-access'))?.query).toBe('?email=ann%40people.example'),
  );
  const required = [
    { tag_id: '1', tag_name: 'Customer' },
    { tag_id: '2', tag_name: 'Trial' },
  ];
  answer(ok({ has_any: true, required, matches: [{ tag_id: '2' }] }));
  expect(await dialog.findByText('Granted')).toBeVisible();
  expect(dialog.getByText('Overall access')).toBeVisible();
  expect(dialog.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['Customer', 'Trial']);
  const [customer, trial] = dialog.getAllByRole('listitem');
  expect(customer?.querySelector('[aria-label="Lacks it"]')).toBeInTheDocument();
  expect(trial?.querySelector('[aria-label="Has it"]')).toBeInTheDocument();
  await user.keyboard('{Escape}');
  answers['GET /api/admin/keap/user-access'] = () => ok({ has_any: false, required, matches: [] });
  await user.click(screen.getByRole('button', { name: 'View Keap Tags of ann@people.example' }));
  expect(await screen.findByText('Denied')).toBeVisible();
});

test('CRM Access of someone disabled says that their tags do not let them in', async () => {
  const { answers } = serve([ME, aUser({ status: 'disabled' })]);
  answers['GET /api/admin/keap/user-access'] = () => ok({ has_any: false, required: [], matches: [] });
  const { user } = await open();
  await user.click(screen.getByRole('button', { name: 'View Keap Tags of ann@people.example' }));
  expect(await screen.findByText(/This account is disabled/)).toBeVisible();
});

test('CRM Access that fails says so, and can be tried again', async () => {
  const { answers } = serve([ME, aUser()]);
  answers['GET /api/admin/keap/user-access'] = () => refused(409, 'CONFLICT', 'Keap is not connected.');
  const { user } = await open();
  await user.click(screen.getByRole('button', { name: 'View Keap Tags of ann@people.example' }));
  expect(await screen.findByText('Failed to load access status.')).toBeVisible();
  expect(screen.getByText('Keap is not connected.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Connect Keap' })).toHaveAttribute('href', '/admin/settings');
  answers['GET /api/admin/keap/user-access'] = () => ok({ has_any: false, required: [], matches: [] });
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('Granted')).toBeVisible();
});
