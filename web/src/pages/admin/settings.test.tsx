import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { ok, refused, renderApp, seedAdminSession, stubServer } from '#web/test-app.tsx';

const HOUR_AGO = new Date(Date.now() - 3_700_000).toISOString();
const NO_CREDENTIALS = { configured: false, masked_client_id: null, updated_at: null };
const CREDENTIALS = { configured: true, masked_client_id: '••••7f3a', updated_at: HOUR_AGO };
const NOT_CONNECTED = { connected: false, masked: null, updated_at: null, expired: false };
const CONNECTED = { connected: true, masked: '••••91bc', updated_at: HOUR_AGO, expired: false };
const aTag = (number: number) => ({ tag_id: String(number), tag_name: `Tag ${number}` });

/** A server whose CRM is in this state, which a test may change. */
function serve(credentials: object, connection: object, required: object[] = []) {
  const state = { credentials, connection, required, tags: Array.from({ length: 3 }, (_, index) => aTag(index + 1)) };
  const answers: Parameters<typeof stubServer>[0] = {
    'GET /api/admin/keap/credentials-status': () => ok(state.credentials),
    'GET /api/admin/keap/status': () => ok(state.connection),
    'GET /api/admin/keap/required-tags-list': () => ok({ items: state.required }),
    'GET /api/admin/keap/tags': ({ query }) => {
      const params = new URLSearchParams(query);
      const offset = Number(params.get('offset'));
      return ok({ items: state.tags.slice(offset, offset + Number(params.get('limit'))) });
    },
  };
  return { state, answers, seen: stubServer(answers) };
}

const card = (name: string) => within(screen.getByRole('region', { name }));
const open = async (path = '/admin/settings') => {
  const opened = renderApp(path);
  await screen.findByLabelText('Client ID');
  await card('OAuth connect').findByRole('button', { name: /^(Rec|C)onnect$/ });
  await card('Required tags').findAllByText(/No tag is required yet|Tag \d/);
  return opened;
};
const fillIn = async ({ user }: Awaited<ReturnType<typeof open>>, id: string, secret: string) => {
  if (id) await user.type(screen.getByLabelText('Client ID'), id);
  if (secret) await user.type(screen.getByLabelText('Client Secret'), secret);
  await user.click(card('CRM credentials').getByRole('button', { name: /credentials$/ }));
};

/** The shell sends some of its own. */
const isPost = ({ method, path }: { method: string; path: string }) =>
  method === 'POST' && path.startsWith('/api/admin/');

beforeEach(seedAdminSession);

test('who is refused is told so', async () => {
  const { answers } = serve(NO_CREDENTIALS, NOT_CONNECTED);
  answers['GET /api/admin/keap/credentials-status'] = () =>
    refused(403, 'FORBIDDEN', 'Only administrators can do this.');
  renderApp('/admin/settings?keap=connected');
  expect(await screen.findByText('Administrators only')).toBeVisible();
  expect(screen.queryByText('Keap connected')).not.toBeInTheDocument();
});

test('a card that cannot be read says why, and can be tried again', async () => {
  const { answers } = serve(NO_CREDENTIALS, NOT_CONNECTED);
  const works = answers['GET /api/admin/keap/status'];
  answers['GET /api/admin/keap/status'] = () =>
    new Response('{"success":', { headers: { 'content-type': 'application/json' } });
  const { user } = renderApp('/admin/settings');
  expect(await screen.findByText('Could not read the connection')).toBeVisible();
  expect(screen.getByText('Invalid JSON response from server')).toBeVisible();
  if (works) answers['GET /api/admin/keap/status'] = works;
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await card('OAuth connect').findByText('Not connected')).toBeVisible();
});

test('before anything is set up: what to do first', async () => {
  serve(NO_CREDENTIALS, NOT_CONNECTED);
  await open();
  expect(card('CRM credentials').getByText('Not configured')).toBeVisible();
  expect(card('OAuth connect').getByText('Configure credentials first')).toBeVisible();
  expect(card('OAuth connect').getByRole('button', { name: 'Connect' })).toBeDisabled();
  expect(card('Required tags').getByText('Connect Keap to choose from its tags.')).toBeVisible();
  expect(card('Required tags').getByText(/A user needs ANY of these tags to sign in\./)).toBeVisible();
});

test('both credentials are needed, blanks do not count', async () => {
  const { seen } = serve(NO_CREDENTIALS, NOT_CONNECTED);
  const opened = await open();
  await fillIn(opened, 'an-id', '   ');
  expect(await screen.findByText('Missing fields')).toBeVisible();
  expect(screen.getByText('Client ID and Client Secret are required')).toBeVisible();
  expect(screen.getByLabelText('Client Secret')).toBeInvalid();
  expect(screen.getByLabelText('Client ID')).toHaveValue('an-id');
  expect(seen.some(isPost)).toBe(false);
});

test('credentials are saved trimmed, shown masked, and the secret is not there again', async () => {
  const { state, answers, seen } = serve(NO_CREDENTIALS, NOT_CONNECTED);
  answers['POST /api/admin/keap/save-credentials'] = () => {
    state.credentials = CREDENTIALS;
    return ok(CREDENTIALS);
  };
  await fillIn(await open(), ' an-id ', ' a-secret ');
  expect(await screen.findByText('Keap app credentials saved')).toBeVisible();
  expect(screen.getByText('Stored securely.')).toBeVisible();
  expect(seen.find(isPost)?.body).toEqual({ client_id: 'an-id', client_secret: 'a-secret' });
  expect(await screen.findByText('••••7f3a')).toBeVisible();
  expect(card('CRM credentials').getByText('1 hour ago')).toBeVisible();
  expect(screen.getByLabelText('Client Secret')).toHaveValue('');
  await waitFor(() =>
    expect(card('OAuth connect').getByRole('button', { name: 'Connect' })).not.toHaveAttribute('aria-disabled'),
  );
});

test.each([
  [() => refused(422, 'VALIDATION_FAILED', 'That is no Client ID.'), 'That is no Client ID.'],
  [() => refused(500, 'INTERNAL'), 'Unknown error'],
  [() => new Response('<html>Log in</html>', { headers: { 'content-type': 'text/html' } }), /deployment protection/],
  [() => new Response('{', { headers: { 'content-type': 'application/json' } }), 'Invalid JSON response from server'],
])('saving that fails: %#', async (answer, words) => {
  const { answers } = serve(NO_CREDENTIALS, NOT_CONNECTED);
  answers['POST /api/admin/keap/save-credentials'] = answer;
  await fillIn(await open(), 'an-id', 'a-secret');
  expect(await screen.findByText('Save failed')).toBeVisible();
  expect(screen.getByText(words)).toBeVisible();
  expect(screen.getByLabelText('Client Secret')).toHaveValue('a-secret');
});

test('Connect goes where the server says, and works again for anyone who comes back with the browser’s button', async () => {
  const { answers } = serve(CREDENTIALS, NOT_CONNECTED);
  // jsdom goes nowhere but to a place in the same page.
  answers['GET /api/admin/keap/oauth/start'] = () => ok({ authorize_url: `${window.location.href}#at-keap` });
  const { user } = await open();
  await user.click(card('OAuth connect').getByRole('button', { name: 'Connect' }));
  await waitFor(() => expect(window.location.hash).toBe('#at-keap'));
  window.location.hash = '';
  expect(card('OAuth connect').getByRole('button', { name: 'Connect' })).toHaveAttribute('aria-disabled', 'true');
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  await waitFor(() => expect(card('OAuth connect').getByRole('button', { name: 'Connect' })).toBeEnabled());
});

test.each([
  [() => ok({}), 'Missing authorize URL'],
  [() => ok({ authorize_url: 'javascript:alert(1)' }), 'Missing authorize URL'],
  [() => refused(409, 'CONFLICT', 'Save the credentials first.'), 'Save the credentials first.'],
])('connecting that fails: %#', async (answer, words) => {
  const { answers } = serve(CREDENTIALS, NOT_CONNECTED);
  answers['GET /api/admin/keap/oauth/start'] = answer;
  const { user } = await open();
  await user.click(card('OAuth connect').getByRole('button', { name: 'Connect' }));
  expect(await screen.findByText('Keap connect failed')).toBeVisible();
  expect(screen.getByText(words)).toBeVisible();
});

test('connected, then disconnected after a question', async () => {
  const { state, answers } = serve(CREDENTIALS, CONNECTED);
  answers['POST /api/admin/keap/disconnect'] = () => {
    state.connection = NOT_CONNECTED;
    return ok(NOT_CONNECTED);
  };
  const { user } = await open();
  expect(card('OAuth connect').getByText('Connected')).toBeVisible();
  expect(card('OAuth connect').getByText('1 hour ago')).toBeVisible();
  await user.click(card('OAuth connect').getByRole('button', { name: 'Disconnect' }));
  const dialog = within(screen.getByRole('alertdialog', { name: 'Disconnect Keap?' }));
  await user.click(dialog.getByRole('button', { name: 'Disconnect' }));
  expect(await screen.findByText('Keap disconnected')).toBeVisible();
  expect(await card('OAuth connect').findByText('Not connected')).toBeVisible();
});

test('tags that are still being read when Keap is disconnected are not waited for', async () => {
  const { answers, state, seen } = serve(CREDENTIALS, CONNECTED);
  const reading = () => seen.find(({ path }) => path === '/api/admin/keap/tags');
  let givenUp: boolean | undefined;
  answers['GET /api/admin/keap/tags'] = () => new Promise(() => {});
  answers['POST /api/admin/keap/disconnect'] = () => {
    givenUp = reading()?.signal?.aborted;
    state.connection = NOT_CONNECTED;
    return ok(NOT_CONNECTED);
  };
  const { user } = await open();
  await waitFor(() => expect(reading()).toBeDefined());
  await user.click(card('OAuth connect').getByRole('button', { name: 'Disconnect' }));
  const dialog = within(screen.getByRole('alertdialog', { name: 'Disconnect Keap?' }));
  await user.click(dialog.getByRole('button', { name: 'Disconnect' }));
  expect(await screen.findByText('Keap disconnected')).toBeVisible();
  expect(givenUp).toBe(true);
});

test('an expired grant asks to connect again, and offers no tags', async () => {
  serve(CREDENTIALS, { ...CONNECTED, connected: false, expired: true }, [aTag(1)]);
  await open();
  expect(card('OAuth connect').getByText('Expired (reconnect)')).toBeVisible();
  expect(card('OAuth connect').getByRole('button', { name: 'Reconnect' })).toBeEnabled();
  expect(card('Required tags').getByText('Tag 1')).toBeVisible();
  expect(screen.queryByRole('listbox')).not.toBeInTheDocument();
});

test.each([
  ['?keap=connected', 'Keap connected', /Choose the tags/],
  ['?keap=failed&reason=denied', 'Keap connect failed', /Keap did not grant access\./],
  ['?keap=failed&reason=Call%20555-0100%20now', 'Keap connect failed', 'Unknown error'],
])('back from Keap with %s: told once, and the address is clean', async (search, title, words) => {
  serve(CREDENTIALS, NOT_CONNECTED);
  const { router } = await open(`/admin/settings${search}`);
  expect(await screen.findByText(title)).toBeVisible();
  expect(screen.getByText(words)).toBeVisible();
  await waitFor(() => expect(router.state.location.search).toBe(''));
  expect(screen.getAllByText(title)).toHaveLength(1);
});

test('all tags are read in pages of 250 until a short one, each shown once, found by any part of their name', async () => {
  const { state, seen } = serve(CREDENTIALS, CONNECTED);
  state.tags = Array.from({ length: 600 }, (_, index) => aTag(index + 1));
  state.tags[250] = aTag(1);
  const { user } = await open();
  expect(await screen.findByText('599 tags')).toBeVisible();
  expect(seen.filter(({ path }) => path.endsWith('/tags')).map(({ query }) => query)).toEqual([
    '?offset=0&limit=250',
    '?offset=250&limit=250',
    '?offset=500&limit=250',
  ]);
  expect(screen.getAllByRole('option').length).toBeLessThan(100);
  await user.type(screen.getByRole('searchbox', { name: 'Search tags' }), 'tAG 59');
  expect(await screen.findByText('11 of 599 tags')).toBeVisible();
  expect(screen.getAllByRole('option')[0]).toHaveTextContent('Tag 59');
});

test('tags are chosen by keyboard, added, and removed', async () => {
  const { state, answers, seen } = serve(CREDENTIALS, CONNECTED);
  answers['POST /api/admin/keap/required-tags'] = () => {
    state.required = [aTag(1), aTag(3)];
    return ok({ items: state.required });
  };
  answers['DELETE /api/admin/keap/required-tags-delete'] = () => {
    state.required = [aTag(3)];
    return ok({ items: state.required });
  };
  const { user } = await open();
  const list = await screen.findByRole('listbox', { name: 'Tags in Keap' });
  expect(screen.getByRole('button', { name: 'Add' })).toBeDisabled();
  list.focus();
  await user.keyboard(' {End} ');
  expect(
    within(list)
      .getAllByRole('option', { selected: true })
      .map((tag) => tag.textContent),
  ).toEqual(['Tag 1', 'Tag 3']);
  expect(list.getAttribute('aria-activedescendant')).toBe(within(list).getByRole('option', { name: 'Tag 3' }).id);
  await user.keyboard('{Home} ');
  expect(within(list).getByRole('option', { name: 'Tag 1' })).toHaveAttribute('aria-selected', 'false');
  await user.click(within(list).getByRole('option', { name: 'Tag 1' }));
  await user.type(screen.getByRole('searchbox', { name: 'Search tags' }), 'tag 1');
  expect(await screen.findByText('1 of 3 tags')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Add 2 tags' }));
  expect(await screen.findByText('Required tags saved')).toBeVisible();
  expect(seen.find(isPost)?.body).toEqual({ tags: [aTag(3), aTag(1)] });
  // What was searched for is required now: all others are offered again.
  await waitFor(() => expect(screen.getByRole('searchbox', { name: 'Search tags' })).toHaveValue(''));
  expect(screen.getAllByRole('option').map((tag) => tag.textContent)).toEqual(['Tag 2']);
  await user.click(screen.getByRole('button', { name: 'Remove Tag 1' }));
  expect(await screen.findByText('Tag removed')).toBeVisible();
  expect(seen.find(({ method }) => method === 'DELETE')?.query).toBe('?tag_id=1');
  await waitFor(() => expect(within(list).getAllByRole('option')).toHaveLength(2));
});

test('tags that cannot be loaded are only logged; the required ones stay', async () => {
  const log = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const { answers } = serve(CREDENTIALS, CONNECTED, [aTag(7)]);
  const works = answers['GET /api/admin/keap/tags'];
  answers['GET /api/admin/keap/tags'] = () => refused(409, 'CONFLICT', 'Keap did not answer.');
  const { user } = await open();
  expect(await screen.findByRole('button', { name: 'Load tags' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Connect Keap' })).toBeVisible();
  expect(log).toHaveBeenCalledWith('The tags could not be loaded:', 'Keap did not answer.');
  expect(screen.queryByText('Keap did not answer.')).not.toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Remove Tag 7' })).toBeEnabled();
  if (works) answers['GET /api/admin/keap/tags'] = works;
  await user.click(screen.getByRole('button', { name: 'Load tags' }));
  expect(await screen.findByText('3 tags')).toBeVisible();
  log.mockRestore();
});

test('required tags of the account before are named, because their numbers may be those of others', async () => {
  serve(CREDENTIALS, { ...CONNECTED, tags_of_before: ['Tag 1', 'Tag 2'] }, [aTag(1), aTag(2), aTag(3)]);
  await open();
  expect(
    await card('Required tags').findByText(/^Tag 1, Tag 2: chosen in the account that was connected before/),
  ).toBeVisible();
});
