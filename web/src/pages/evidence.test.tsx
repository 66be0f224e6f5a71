import { screen, waitFor } from '@testing-library/react';
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
    'POST /api/evidence': () => refused(422, 'VALIDATION_FAILED', 'This is not a phone number.'),
  });
  renderApp('/evidence');
  expect(await screen.findByText(HASH)).toBeVisible();
  expect(screen.queryByRole('switch')).not.toBeInTheDocument();
  expect(screen.queryByLabelText('Done by')).not.toBeInTheDocument();
  await userEvent.type(screen.getByLabelText('Phone number'), '12');
  await userEvent.click(screen.getByRole('button', { name: 'Download Pack' }));
  expect(await screen.findByText('This is not a phone number.')).toBeVisible();
  expect(seen.find(({ path }) => path === '/api/evidence')?.body).toEqual({ phone: '12' });
});

test('an administrator turns the daily mail on, and may ask for everyone', async () => {
  seedAdminSession();
  const seen = serve(false, { 'PUT /api/admin/evidence/mail': () => ok({ on: true }) });
  renderApp('/evidence');
  await userEvent.click(await screen.findByRole('switch', { name: 'Mail me the hash each day' }));
  await waitFor(() => expect(seen.find(({ path }) => path === '/api/admin/evidence/mail')?.body).toEqual({ on: true }));
  expect(screen.getByLabelText('Done by')).toBeVisible();
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
  expect(await screen.findByText('The head could not be read')).toBeVisible();
});
