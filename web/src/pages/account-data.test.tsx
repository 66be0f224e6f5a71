import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { SWEEP_MARKER_KEY } from '#contract/work/retention.ts';
import { ok, refused, renderApp, seedSession, stubServer, TEST_USER } from '#web/test-app.tsx';

type Answers = Parameters<typeof stubServer>[0];
const saved: { name: string; text: Promise<string> }[] = [];

beforeEach(() => {
  saved.length = 0;
  seedSession();
  let content = new Blob();
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    if (blob instanceof Blob) content = blob;
    return 'blob:x';
  });
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => {});
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    saved.push({ name: this.download, text: content.text() });
  });
});

function open(answers: Answers) {
  const seen = stubServer({
    'GET /api/keys': () => ok({ apiKeys: [] }),
    'POST /auth/v1/logout': () => new Response(null, { status: 204 }),
    ...answers,
  });
  return { seen, ...renderApp('/account') };
}
const dataCard = async () => within(await screen.findByRole('region', { name: 'Your data' }));
const openDialog = async (user: ReturnType<typeof renderApp>['user']) => {
  const card = within(await screen.findByRole('region', { name: 'Delete account' }));
  await user.click(card.getByRole('button', { name: 'Delete account' }));
  return within(await screen.findByRole('dialog', { name: 'Delete account' }));
};

test('the data comes as a file, with how much has come', async () => {
  const file = new TransformStream<Uint8Array, Uint8Array>();
  const { seen, user } = open({ 'GET /api/account/export': () => new Response(file.readable) });
  const card = await dataCard();
  const button = card.getByRole('button', { name: 'Download my data' });
  await user.click(button);
  expect(await card.findByText('Collecting…')).toBeVisible();
  expect(button).toHaveAttribute('aria-disabled', 'true');
  // It keeps the keyboard's focus while it works, and another press does nothing.
  expect(button).toHaveFocus();
  await user.keyboard('{Enter}');
  const writer = file.writable.getWriter();
  await writer.write(new TextEncoder().encode(`{"a": "${'x'.repeat(11_990)}`));
  expect(await card.findByText('12 kB so far')).toBeVisible();
  await writer.write(new TextEncoder().encode('"}'));
  await writer.close();
  expect(await card.findByText('Downloaded, 12 kB.')).toBeVisible();
  expect(saved.map(({ name }) => name)).toEqual([`fairlead-data-${new Date().toISOString().slice(0, 10)}.json`]);
  expect(JSON.parse((await saved[0]?.text) ?? '')).toEqual({ a: 'x'.repeat(11_990) });
  const [asked, ...more] = seen.filter(({ path }) => path === '/api/account/export');
  expect(more).toEqual([]);
  expect(asked?.headers.get('authorization')).toMatch(/^Bearer /);
});

test('a download that is refused or breaks off says so, saves nothing, and can be tried again', async () => {
  const answers: Answers = {
    'GET /api/account/export': () => refused(503, 'UNAVAILABLE', 'Try again in a few seconds.'),
  };
  const { user } = open(answers);
  const card = await dataCard();
  await user.click(card.getByRole('button', { name: 'Download my data' }));
  expect(await card.findByText('Try again in a few seconds.')).toBeVisible();
  const half = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{'));
      setTimeout(() => controller.error(new TypeError('terminated')), 0);
    },
  });
  Object.assign(answers, { 'GET /api/account/export': () => new Response(half) });
  stubServer(answers);
  await user.click(card.getByRole('button', { name: 'Download my data' }));
  expect(await card.findByText('The download was interrupted. Please try again.')).toBeVisible();
  expect(saved).toEqual([]);
});

test('deletion says what goes, wants the address, and ends at the sign-in page', async () => {
  const { seen, user, router } = open({ 'DELETE /api/account': () => ok({ id: TEST_USER.id }) });
  const dialog = await openDialog(user);
  expect(dialog.getByText(/every paid call/)).toBeVisible();
  expect(dialog.getByRole('button', { name: 'Download my data' })).toBeVisible();
  await user.type(dialog.getByLabelText(/To confirm, type/), 'mara{Enter}');
  expect(dialog.getByText(/That is not the email address of your account/)).toBeVisible();
  expect(seen.some(({ method }) => method === 'DELETE')).toBe(false);
  await user.clear(dialog.getByLabelText(/To confirm, type/));
  await user.type(dialog.getByLabelText(/To confirm, type/), `${TEST_USER.email}{Enter}`);
  expect(await screen.findByText('Your account is deleted')).toBeVisible();
  expect(router.state.location.pathname).toBe('/login');
  expect(seen.find(({ method }) => method === 'DELETE')?.body).toEqual({ email: TEST_USER.email });
  expect(localStorage.getItem(SWEEP_MARKER_KEY)).toBeNull();
  await router.navigate('/account');
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
  await waitFor(() => expect(screen.queryByText('Your account is deleted')).not.toBeInTheDocument());
});

test('a refused deletion keeps everything as it was, and what was typed', async () => {
  const { user, router } = open({
    'DELETE /api/account': () => refused(409, 'CONFLICT', 'This is the last active administrator.'),
  });
  const dialog = await openDialog(user);
  await user.type(dialog.getByLabelText(/To confirm, type/), `${TEST_USER.email}{Enter}`);
  expect(await dialog.findByText('This is the last active administrator.')).toBeVisible();
  expect(dialog.getByLabelText(/To confirm, type/)).toHaveValue(TEST_USER.email);
  await user.click(dialog.getByRole('button', { name: 'Keep my account' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(router.state.location.pathname).toBe('/account');
});
