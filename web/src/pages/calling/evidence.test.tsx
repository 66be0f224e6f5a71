import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { ok, refused, renderApp, seedAdminSession, seedSession, stubServer } from '#web/test-app.tsx';

const HASH = 'ab'.repeat(32);
const head = { position: 1_234, hash: HASH, at: '2026-11-24T15:00:00.000Z' };

const serve = (mailed: boolean | null, more: Parameters<typeof stubServer>[0] = {}) =>
  stubServer({
    'GET /api/evidence/head': () => ok({ head, mailed }),
    'GET /api/admin/users': () => ok({ items: [] }),
    'GET /rest/v1/lists': () => new Response('[]', { headers: { 'content-type': 'application/json' } }),
    ...more,
  });

beforeEach(() => {
  seedSession();
});

test('someone sees the head, and asks for a pack about a number', async () => {
  const seen = serve(null, {
    'POST /api/evidence': () => refused(422, 'VALIDATION_FAILED', 'The pack would hold too many entries.'),
  });
  renderApp('/evidence');
  expect(await screen.findByText(HASH)).toBeVisible();
  expect(screen.queryByRole('switch')).not.toBeInTheDocument();
  expect(screen.queryByLabelText('Done by')).not.toBeInTheDocument();
  await userEvent.type(screen.getByLabelText('Phone number'), '12');
  await userEvent.click(screen.getByRole('button', { name: 'Download Pack' }));
  expect(await screen.findByText('Enter a phone number with its area code.')).toBeVisible();
  expect(seen.some(({ path }) => path === '/api/evidence')).toBe(false);
  await userEvent.type(screen.getByLabelText('Phone number'), '17 555 0100');
  await userEvent.click(screen.getByRole('button', { name: 'Download Pack' }));
  expect(await screen.findByText('The pack would hold too many entries.')).toBeVisible();
  expect(seen.find(({ path }) => path === '/api/evidence')?.body).toEqual({ phone: '1217 555 0100' });
});

test('a pack may be for any list and any export, by their ids', async () => {
  const id = '6a660000-0000-4000-8000-000000000001';
  const seen = serve(null, { 'POST /api/evidence': () => refused(404, 'NOT_FOUND', 'This list was not found.') });
  renderApp('/evidence');
  const list = await screen.findByRole('combobox', { name: 'List' });
  expect(list).toHaveTextContent('All lists');
  await userEvent.click(list);
  await userEvent.click(await screen.findByRole('option', { name: 'A list by its ID' }));
  await userEvent.type(screen.getByLabelText('List ID'), 'a list');
  await userEvent.click(screen.getByRole('button', { name: 'Download Pack' }));
  expect(await screen.findByText('This is not the id of a list.')).toBeVisible();
  await userEvent.clear(screen.getByLabelText('List ID'));
  await userEvent.type(screen.getByLabelText('List ID'), id);
  await userEvent.type(screen.getByLabelText('Export ID'), id);
  await userEvent.click(screen.getByRole('button', { name: 'Download Pack' }));
  expect(await screen.findByText('This list was not found.')).toBeVisible();
  expect(seen.find(({ path }) => path === '/api/evidence')?.body).toEqual({ listId: id, exportId: id });
});

test('a last day before the first is refused where it stands', async () => {
  const seen = serve(null);
  renderApp('/evidence');
  fireEvent.change(await screen.findByLabelText('First day'), { target: { value: '2026-12-24' } });
  fireEvent.change(screen.getByLabelText('Last day'), { target: { value: '2026-12-01' } });
  await userEvent.click(screen.getByRole('button', { name: 'Download Pack' }));
  expect(await screen.findByText('The last day is before the first day.')).toBeVisible();
  expect(seen.some(({ path }) => path === '/api/evidence')).toBe(false);
});

test('an administrator turns the daily mail on, and may ask for everyone', async () => {
  seedAdminSession();
  const seen = serve(false, { 'PUT /api/admin/evidence/mail': () => ok({ on: true }) });
  renderApp('/evidence');
  await userEvent.click(await screen.findByRole('switch', { name: 'Email me the hash each day' }));
  await waitFor(() => expect(seen.find(({ path }) => path === '/api/admin/evidence/mail')?.body).toEqual({ on: true }));
  expect(screen.getByLabelText('Done by')).toHaveTextContent('Everyone');
});

test('a chain without an entry says what will come, and a failure can be tried again', async () => {
  stubServer({
    'GET /api/evidence/head': () => ok({ head: { position: 0, hash: '0'.repeat(64), at: null }, mailed: null }),
  });
  renderApp('/evidence');
  expect(await screen.findByText(/There is no entry yet/)).toBeVisible();
});

test('a head that cannot be read says so', async () => {
  stubServer({ 'GET /api/evidence/head': () => refused(500, 'INTERNAL', 'Something went wrong.') });
  renderApp('/evidence');
  expect(await screen.findByText('The head could not be loaded')).toBeVisible();
});
