import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { ok, renderApp, seedAdminSession, seedSession, stubServer } from '#web/test-app.tsx';
import { aListRow, leadRows } from '#web/test-data.ts';

const answers = {
  'GET /api/keys': () => ok({ apiKeys: [] }),
  'GET /api/runs': () => ok({ runs: [] }),
  'GET /rest/v1/leads': () => Response.json(leadRows(3)),
  'GET /rest/v1/lists': () =>
    Response.json([aListRow(), aListRow({ id: 'list-2', name: 'Old bakeries', lifecycle_status: 'archived' })]),
};

beforeEach(() => {
  seedSession();
  stubServer(answers);
});

const pressCtrlK = () => fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
const palette = async () => within(await screen.findByRole('dialog', { name: 'Command palette' }));
const options = async () => (await palette()).getAllByRole('option').map((option) => option.textContent);

describe('the command palette', () => {
  test('goes to a page; the focus is then on its heading', async () => {
    const { user, router } = renderApp('/account');
    await user.click(await screen.findByRole('button', { name: 'Search or jump to…' }));
    expect((await palette()).getByRole('combobox')).toHaveFocus();
    await user.keyboard('settin{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe('/settings'));
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Settings', level: 1 })).toHaveFocus());
  });

  test('opens a list by its name, archived ones too', async () => {
    const { user, router } = renderApp('/account');
    await screen.findByRole('heading', { level: 1 });
    pressCtrlK();
    await (await palette()).findByRole('option', { name: 'dentists in Springfield, IL' });
    expect((await palette()).queryByRole('option', { name: 'Old bakeries' })).not.toBeInTheDocument();
    await user.keyboard('bak');
    expect(await options()).toEqual(['Old bakeries']);
    await user.keyboard('{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe('/lists/list-2'));
  });

  test('offers what can be done with the open list, and gives the focus back after its dialog', async () => {
    const { user } = renderApp('/lists/list-1');
    const export_ = await screen.findByRole('button', { name: 'Export' });
    export_.focus();
    pressCtrlK();
    const group = within((await palette()).getByRole('group', { name: 'This list' }));
    expect(group.getAllByRole('option').map((option) => option.textContent)).toEqual([
      'Add Emails & Contacts',
      'Check Compliance',
      'Export',
      'Rename',
      'Duplicate',
      'Archive List',
      'Delete',
    ]);
    await user.keyboard('rename{Enter}');
    expect(await screen.findByRole('dialog', { name: 'Rename list' })).toBeVisible();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(export_).toHaveFocus());
  });

  test('shows admin pages to administrators only', async () => {
    renderApp('/account');
    await screen.findByRole('heading', { level: 1 });
    pressCtrlK();
    expect(await options()).not.toContain('User Management');
  });

  test('for administrators', async () => {
    seedAdminSession();
    const { user } = renderApp('/account');
    await screen.findByRole('heading', { level: 1 });
    pressCtrlK();
    await palette();
    await user.keyboard('admin');
    expect(await options()).toEqual([
      'Training Editor',
      'User Management',
      'Settings',
      'Calling Rules',
      'Open Data',
      'Audit Log',
    ]);
  });

  test('changes the theme, and closes by the keys that opened it', async () => {
    const { user } = renderApp('/account');
    await screen.findByRole('heading', { level: 1 });
    pressCtrlK();
    await palette();
    await user.keyboard('{Control>}k{/Control}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    pressCtrlK();
    await palette();
    await user.keyboard('light th{Enter}');
    await waitFor(() => expect(localStorage.getItem('theme')).toBe('light'));
  });

  test('keeps the focus until it is left, and gives it back', async () => {
    const { user } = renderApp('/account');
    const opener = await screen.findByRole('button', { name: 'Search or jump to…' });
    await user.click(opener);
    await user.keyboard('{Tab}{Shift>}{Tab}{/Shift}');
    expect((await palette()).getByRole('combobox')).toHaveFocus();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(opener).toHaveFocus());
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  test('says when nothing fits', async () => {
    const { user } = renderApp('/account');
    await screen.findByRole('heading', { level: 1 });
    pressCtrlK();
    await palette();
    await user.keyboard('zebra');
    expect(await screen.findByText('Nothing matches “zebra”.')).toBeVisible();
  });
});

describe('single-key shortcuts', () => {
  test('lead to pages, but not while someone types or a dialog is open', async () => {
    const { user, router } = renderApp('/');
    const field = await screen.findByRole('searchbox', { name: 'Search lists by name' });
    await user.type(field, 'gs?n');
    expect(field).toHaveValue('gs?n');
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    field.blur();
    await user.keyboard('n');
    expect(await screen.findByRole('dialog', { name: 'New Search' })).toBeVisible();
    fireEvent.keyDown(document.body, { key: '?' });
    expect(screen.queryByRole('dialog', { name: 'Keyboard shortcuts' })).not.toBeInTheDocument();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await user.keyboard('gs');
    await waitFor(() => expect(router.state.location.pathname).toBe('/settings'));
  });

  test('are listed, can be switched off, and stay off', async () => {
    const { user, router } = renderApp('/account');
    await screen.findByRole('heading', { level: 1 });
    await user.keyboard('?');
    const help = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }));
    expect(help.getByText('Toggle the sidebar')).toBeVisible();
    await user.click(help.getByRole('switch', { name: 'Single-key shortcuts' }));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await user.keyboard('gs?');
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(router.state.location.pathname).toBe('/account');
    expect(localStorage.getItem('single-key-shortcuts')).toBe('off');
    pressCtrlK();
    await user.click((await palette()).getByRole('option', { name: /^Keyboard shortcuts/ }));
    expect(await screen.findByRole('switch', { name: 'Single-key shortcuts' })).not.toBeChecked();
  });
});
