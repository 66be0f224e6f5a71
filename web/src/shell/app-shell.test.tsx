import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { getSupabase } from '#web/lib/backend/supabase.ts';
import { readReturnTo } from '#web/lib/session/return-to.ts';
import { ok, renderApp, seedAdminSession, seedSession, stubServer } from '#web/test-app.tsx';

const answers = { 'GET /api/keys': () => ok({ apiKeys: [] }) };

function writeCookie(cookie: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the page under test reads it in this way
  document.cookie = cookie;
}

beforeEach(() => {
  writeCookie('sidebar_state=; path=/; max-age=0');
  seedSession();
});

const sidebar = () => screen.queryByRole('complementary', { name: 'Navigation' });

test('the links of the spec, and no admin group', async () => {
  stubServer(answers);
  renderApp('/account');
  const links = within(await screen.findByRole('navigation', { name: 'Main' }));
  expect(links.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Dashboard', '/'],
    ['New Search', '/search'],
    ['Import', '/imports'],
    ['Settings', '/settings'],
    ['Usage', '/usage'],
    ['Suppression List', '/suppressions'],
    ['Support', 'mailto:support@fairlead.example'],
    ['Account', '/account'],
  ]);
  expect(links.getByRole('link', { name: 'Support' })).toHaveAttribute('target', '_blank');
  expect(links.getByRole('link', { name: 'Account' })).toHaveAttribute('aria-current', 'page');
  expect(links.getByRole('button', { name: 'Logout' })).toBeVisible();
});

test('administrators have a group of their own, between Resources and Account', async () => {
  seedAdminSession();
  stubServer(answers);
  renderApp('/account');
  const navigation = within(await screen.findByRole('navigation', { name: 'Main' }));
  const group = await navigation.findByRole('list', { name: 'Admin' });
  expect(navigation.getAllByRole('list').map((list) => list.previousElementSibling?.textContent)).toEqual([
    'Main',
    'Resources',
    'Admin',
    'Account',
  ]);
  expect(
    within(group)
      .getAllByRole('link')
      .map((link) => [link.textContent, link.getAttribute('href')]),
  ).toEqual([
    ['Training Editor', '/admin/training'],
    ['User Management', '/admin/users'],
    ['Settings', '/admin/settings'],
    ['Calling Rules', '/admin/calling-rules'],
    ['Open Data', '/admin/sources'],
    ['Audit Log', '/admin/audit'],
  ]);
});

test('Ctrl+B and Meta+B toggle the sidebar, but not while typing; a cookie remembers', async () => {
  stubServer(answers);
  renderApp('/account');
  await screen.findByRole('navigation', { name: 'Main' });
  expect(sidebar()).toHaveAttribute('data-state', 'expanded');
  fireEvent.keyDown(window, { key: 'b', ctrlKey: true });
  expect(sidebar()).toHaveAttribute('data-state', 'icons');
  expect(document.cookie).toContain('sidebar_state=false');
  fireEvent.keyDown(window, { key: 'b', metaKey: true });
  expect(sidebar()).toHaveAttribute('data-state', 'expanded');
  expect(document.cookie).toContain('sidebar_state=true');
  const field = document.createElement('input');
  document.body.append(field);
  fireEvent.keyDown(field, { key: 'b', ctrlKey: true });
  field.remove();
  expect(sidebar()).toHaveAttribute('data-state', 'expanded');
});

test.each([
  ['a select', () => select('combobox')],
  ['a native select', () => document.createElement('select')],
  ['a tick', () => Object.assign(document.createElement('input'), { type: 'checkbox' })],
  ['a menu', () => select('menu')],
])('Ctrl+B works while %s has the focus', async (_, make) => {
  stubServer(answers);
  renderApp('/account');
  await screen.findByRole('navigation', { name: 'Main' });
  const control = make();
  document.body.append(control);
  fireEvent.keyDown(control, { key: 'b', ctrlKey: true });
  control.remove();
  expect(sidebar()).toHaveAttribute('data-state', 'icons');
});

function select(role: string): HTMLElement {
  const button = document.createElement('button');
  button.setAttribute('role', role);
  return button;
}

test('it can be hidden altogether, stays so, and comes back', async () => {
  stubServer(answers);
  const { user } = renderApp('/account');
  await user.click(await screen.findByRole('button', { name: 'Hide sidebar' }));
  expect(sidebar()).not.toBeInTheDocument();
  expect(document.cookie).toContain('sidebar_state=hidden');
  await user.click(screen.getByRole('button', { name: 'Toggle sidebar' }));
  expect(sidebar()).toHaveAttribute('data-state', 'expanded');
});

test('the remembered state is there from the start', async () => {
  writeCookie('sidebar_state=false; path=/');
  stubServer(answers);
  renderApp('/account');
  await screen.findByRole('navigation', { name: 'Main' });
  expect(sidebar()).toHaveAttribute('data-state', 'icons');
});

test('the theme: dark first, changed by the button, remembered', async () => {
  stubServer(answers);
  const { user } = renderApp('/account');
  await user.click(await screen.findByRole('button', { name: 'Switch to light theme' }));
  expect(document.documentElement).not.toHaveClass('dark');
  expect(localStorage.getItem('theme')).toBe('light');
  await user.click(screen.getByRole('button', { name: 'Switch to dark theme' }));
  expect(document.documentElement).toHaveClass('dark');
  expect(localStorage.getItem('theme')).toBe('dark');
});

test('the avatar menu leads to account and settings, and chooses the theme', async () => {
  stubServer(answers);
  const { user, router } = renderApp('/account');
  await user.click(await screen.findByRole('button', { name: 'Account menu' }));
  await user.click(await screen.findByRole('menuitemradio', { name: 'System' }));
  expect(localStorage.getItem('theme')).toBe('system');
  expect(screen.getByRole('menuitem', { name: 'Account' })).toHaveAttribute('href', '/account');
  await user.click(screen.getByRole('menuitem', { name: 'Settings' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/settings'));
});

test('once the session has ended, the way back in stands in place of Logout', async () => {
  stubServer({ ...answers, 'POST /auth/v1/logout': () => new Response(null, { status: 204 }) });
  const { user, router } = renderApp('/account?tab=keys');
  const links = within(await screen.findByRole('navigation', { name: 'Main' }));
  await (await getSupabase()).auth.signOut({ scope: 'local' });
  await user.click(await links.findByRole('button', { name: 'Sign in' }));
  expect(links.queryByRole('button', { name: 'Logout' })).not.toBeInTheDocument();
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
  expect(readReturnTo()).toBe('/account?tab=keys');
});

test('a menu that was opened while the next page came stays open', async () => {
  stubServer(answers);
  const { user, router } = renderApp('/account');
  await user.click(await screen.findByRole('button', { name: 'Account menu' }));
  expect(await screen.findByRole('menu')).toBeVisible();
  await router.navigate('/settings');
  expect(await screen.findByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  // The focus moves right after the page has come.
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(screen.getByRole('menu')).toBeVisible();
});
