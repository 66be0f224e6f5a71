import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { ListRow } from '#contract/work/lists.ts';
import type { Run } from '#contract/work/runs.ts';
import { getSupabase } from '#web/lib/backend/supabase.ts';
import { SESSION_STORAGE_KEY } from '#web/lib/session/stored-session.ts';
import { serve } from '#web/pages/testing/dashboard.ts';
import {
  authRefused,
  ok,
  refused,
  renderApp,
  seedAdminSession,
  seedSession,
  stubServer,
  TEST_USER,
  testSession,
} from '#web/test-app.tsx';
import { aListRow, aRun } from '#web/test-data.ts';
import { forgetDrafts } from './drafts.ts';

// Its chunk is loaded before the first test, which is then no slower than the others.
beforeAll(() => import('#web/features/search/new-search-dialog.tsx'));
beforeEach(seedSession);

/** As when a session cannot be continued anymore. */
async function endSession(): Promise<void> {
  const { auth } = await getSupabase();
  await act(() => auth.signOut({ scope: 'local' }));
}

function signInAs(id: string): void {
  const user = { ...testSession.user, id };
  localStorage.setItem(SESSION_STORAGE_KEY, JSON.stringify({ ...testSession, user }));
}

const server = () => {
  const { answers } = serve([aListRow()]);
  answers['POST /auth/v1/logout'] = () => new Response(null, { status: 204 });
};

async function typeSearchAndExpire(): Promise<void> {
  server();
  const { user } = renderApp('/search');
  const form = within(await screen.findByRole('dialog', { name: 'New Search' }));
  await user.type(form.getByLabelText('Business type'), 'tree surgeons');
  await user.type(form.getByLabelText('Location'), 'Boise');
  await endSession();
  expect(localStorage.getItem('drafts')).toContain('tree surgeons');
  cleanup();
}

test('a search that was typed when the session ended is there again for the same person', async () => {
  await typeSearchAndExpire();
  seedSession();
  renderApp('/');
  const form = within(await screen.findByRole('dialog', { name: 'New Search' }));
  expect(form.getByLabelText('Business type')).toHaveValue('tree surgeons');
  expect(form.getByLabelText('Location')).toHaveValue('Boise');
  expect(localStorage.getItem('drafts')).toBeNull();
});

test('someone else who signs in never sees it, and it is gone then', async () => {
  await typeSearchAndExpire();
  signInAs('6f1c2a52-3d0f-4c61-8a53-0d6f3b1c9e11');
  renderApp('/search');
  const form = within(await screen.findByRole('dialog', { name: 'New Search' }));
  expect(form.getByLabelText('Business type')).toHaveValue('');
  expect(localStorage.getItem('drafts')).toBeNull();
});

test('after an hour it is gone', async () => {
  await typeSearchAndExpire();
  const kept = JSON.parse(localStorage.getItem('drafts') ?? '');
  expect(kept.userId).toBe(TEST_USER.id);
  localStorage.setItem('drafts', JSON.stringify({ ...kept, at: Date.now() - 3_600_001 }));
  seedSession();
  renderApp('/');
  await screen.findByText('My Lists');
  await waitFor(() => expect(localStorage.getItem('drafts')).toBeNull());
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

test('a dialog that was closed, or a logout on purpose, leaves nothing behind', async () => {
  server();
  const { user } = renderApp('/search');
  const form = within(await screen.findByRole('dialog', { name: 'New Search' }));
  await user.type(form.getByLabelText('Business type'), 'tree surgeons');
  await user.click(form.getByRole('button', { name: 'Cancel' }));
  await endSession();
  expect(localStorage.getItem('drafts')).toBeNull();
  cleanup();
  seedSession();
  await typeSearchAndExpire();
  forgetDrafts();
  expect(localStorage.getItem('drafts')).toBeNull();
});

test.each([['Rename', 'List name', 'Rename list']])(
  '%s: the name that was typed is there again',
  async (item, label, title) => {
    server();
    const open = async () => {
      const { user } = renderApp('/');
      await user.click(await screen.findByRole('button', { name: /^More actions/ }));
      await user.click(await screen.findByRole('menuitem', { name: item }));
      return { user, form: within(await screen.findByRole('dialog', { name: title })) };
    };
    const { user, form } = await open();
    await user.clear(form.getByLabelText(label));
    await user.type(form.getByLabelText(label), 'Spring mailing');
    await endSession();
    cleanup();
    seedSession();
    expect((await open()).form.getByLabelText(label)).toHaveValue('Spring mailing');
  },
);

test('an invitation is kept though its card goes with the session; secrets and keys never are', async () => {
  seedAdminSession();
  stubServer({
    'POST /auth/v1/logout': () => new Response(null, { status: 204 }),
    'GET /api/admin/users/list': () => ok({ items: [] }),
    'GET /api/keys': () => ok({ apiKeys: [{ provider: 'hunter_io', isConnected: false }] }),
    'GET /api/admin/keap/credentials-status': () => ok({ configured: false, masked_client_id: null, updated_at: null }),
  });
  const users = renderApp('/admin/users');
  await users.user.type(await screen.findByLabelText('Email'), 'new@people.example');
  await endSession();
  cleanup();
  seedAdminSession();
  renderApp('/admin/users');
  expect(await screen.findByLabelText('Email')).toHaveValue('new@people.example');
  cleanup();

  const crm = renderApp('/admin/settings');
  await crm.user.type(await screen.findByLabelText('Client ID'), 'client-7');
  await crm.user.type(screen.getByLabelText('Client Secret'), 'top-secret-7');
  await endSession();
  expect(localStorage.getItem('drafts')).toContain('client-7');
  cleanup();
  seedSession();
  const settings = renderApp('/settings');
  const card = within(await screen.findByRole('region', { name: 'Hunter.io' }));
  await settings.user.click(card.getByRole('button', { name: 'Connect' }));
  await settings.user.type(await screen.findByLabelText('API key'), 'hunter-secret-7');
  await endSession();
  expect(JSON.stringify({ ...localStorage })).not.toMatch(/top-secret-7|hunter-secret-7/);
});

test('a new list’s name, typed to copy leads, is there again', async () => {
  server();
  const open = async () => {
    const { user } = renderApp('/');
    await user.click((await screen.findAllByRole('button', { name: /^More actions/ }))[0] ?? document.body);
    await user.click(await screen.findByRole('menuitem', { name: /Copy to Another List/ }));
    return { user, form: within(await screen.findByRole('dialog', { name: /^Copy/ })) };
  };
  const { user, form } = await open();
  await user.type(form.getByLabelText(/Name of the new list/), 'To call in May');
  await endSession();
  cleanup();
  seedSession();
  expect((await open()).form.getByLabelText(/Name of the new list/)).toHaveValue('To call in May');
});

const CHECK = {
  leads: 48,
  withoutPhone: 0,
  notUs: 0,
  toCheck: 48,
  expired: 0,
  known: 0,
  lost: 0,
  boundMicros: 960_000,
};

/** Opens a dialog of a list by its button, on a server that takes no work because the session has ended. */
async function openPaid(button: RegExp, role: 'dialog' | 'alertdialog', runs: Run[] = []) {
  const { answers } = serve([aListRow(runs.length > 0 ? { status: 'failed' } : {})], { runs });
  const ended = () => refused(401, 'UNAUTHENTICATED', 'Your session has ended. Sign in again.');
  answers['POST /api/compliance/estimate'] = () => ok(CHECK);
  answers['POST /api/compliance'] = ended;
  answers['POST /api/enrich/emails'] = ended;
  answers['POST /auth/v1/token'] = () => authRefused(400, 'session_expired');
  answers['POST /auth/v1/logout'] = () => new Response(null, { status: 204 });
  const { user } = renderApp('/');
  await user.click(await screen.findByRole('button', { name: button }));
  return { user, form: within(await screen.findByRole(role)) };
}

test.each([
  ['Check Compliance', /Check Compliance/, 'Check Compliance', []],
  ['Retry', /Retry/, 'Retry', [aRun({ kind: 'compliance', state: 'failed', finishedAt: '2026-11-01T12:01:00Z' })]],
])(
  '%s: the limit that was typed is there again after a session that ended at the press',
  async (_name, button, go, runs) => {
    const open = () => openPaid(button, 'alertdialog', runs);
    const { user, form } = await open();
    await user.clear(form.getByLabelText('Spend at most'));
    await user.type(form.getByLabelText('Spend at most'), '0.42');
    await user.click(form.getByRole('button', { name: go }));
    await waitFor(() => expect(localStorage.getItem(SESSION_STORAGE_KEY)).toBeNull());
    await waitFor(() => expect(localStorage.getItem('drafts')).toContain('0.42'));
    cleanup();
    seedSession();
    expect((await open()).form.getByLabelText('Spend at most')).toHaveValue('0.42');
  },
);

test('a search whose list was made when the session ended keeps its limit for Retry', async () => {
  const list = aListRow({
    id: 'list-new',
    name: 'dentists in Boise',
    status: 'failed',
    lead_count: 0,
    tier1_complete: false,
  });
  const serveIt = (lists: ListRow[]) => {
    const { answers } = serve(lists);
    answers['POST /rest/v1/lists'] = () => Response.json({ ...list, status: 'processing' }, { status: 201 });
    answers['POST /api/search-leads/count'] = () =>
      ok({ found: 20, unlisted: 20, known: 0, paidPages: 1, boundMicros: 640_000, lookUpMicros: 0, lost: 0 });
    answers['POST /api/search-leads'] = () => refused(401, 'UNAUTHENTICATED', 'Your session has ended. Sign in again.');
    answers['POST /auth/v1/token'] = () => authRefused(400, 'session_expired');
    answers['POST /auth/v1/logout'] = () => new Response(null, { status: 204 });
  };
  serveIt([]);
  const { user } = renderApp('/search');
  const form = within(await screen.findByRole('dialog', { name: 'New Search' }));
  await user.type(form.getByLabelText('Business type'), 'dentists');
  await user.type(form.getByLabelText('Location'), 'Boise');
  await user.type(form.getByLabelText('Spend at most'), '0.42');
  await user.click(form.getByRole('button', { name: 'Start Search' }));
  await waitFor(() => expect(localStorage.getItem('drafts')).toContain('0.42'));
  cleanup();
  seedSession();
  serveIt([list]);
  const again = renderApp('/');
  await again.user.click(await screen.findByRole('button', { name: /Retry/ }));
  const retry = within(await screen.findByRole('alertdialog', { name: 'Retry the search?' }));
  expect(retry.getByLabelText('Spend at most')).toHaveValue('0.42');
});

test('an enrichment that was chosen is there again after a session that ended at the press, until it is closed', async () => {
  const open = () => openPaid(/Add Emails/, 'dialog');
  const { user, form } = await open();
  await user.click(form.getByRole('checkbox', { name: /compliance check/ }));
  await user.type(form.getByLabelText('Spend at most on each'), '0.42');
  await user.click(form.getByRole('button', { name: 'Start Enrichment' }));
  await waitFor(() => expect(localStorage.getItem(SESSION_STORAGE_KEY)).toBeNull());
  await waitFor(() => expect(localStorage.getItem('drafts')).toContain('0.42'));
  cleanup();
  seedSession();
  const again = await open();
  expect(again.form.getByRole('checkbox', { name: /compliance check/ })).toBeChecked();
  expect(again.form.getByLabelText('Spend at most on each')).toHaveValue('0.42');
  await again.user.click(again.form.getByRole('button', { name: 'Cancel' }));
  await endSession();
  expect(localStorage.getItem('drafts')).toBeNull();
});

test('required tags that were chosen are chosen again', async () => {
  const tags = [
    { tag_id: '1', tag_name: 'Customer' },
    { tag_id: '2', tag_name: 'Partner' },
  ];
  const open = async () => {
    seedAdminSession();
    stubServer({
      'POST /auth/v1/logout': () => new Response(null, { status: 204 }),
      'GET /api/admin/keap/credentials-status': () =>
        ok({ configured: true, masked_client_id: '••••7f3a', updated_at: '2026-11-01T12:00:00Z' }),
      'GET /api/admin/keap/status': () =>
        ok({ connected: true, masked: '••••91bc', updated_at: '2026-11-01T12:00:00Z', expired: false }),
      'GET /api/admin/keap/required-tags-list': () => ok({ items: [] }),
      'GET /api/admin/keap/tags': () => ok({ items: tags }),
    });
    return renderApp('/admin/settings').user;
  };
  const user = await open();
  await user.type(await screen.findByLabelText('Search tags'), 'part');
  await screen.findByText('1 of 2 tags');
  await user.click(screen.getByRole('option', { name: 'Partner' }));
  await endSession();
  expect(localStorage.getItem('drafts')).toContain('part');
  cleanup();
  await open();
  expect(await screen.findByLabelText('Search tags')).toHaveValue('part');
  expect(screen.getByRole('option', { name: 'Partner', selected: true })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Add 1 tag' })).toBeEnabled();
});

test('a calling rule that was typed is there again, until it is added', async () => {
  const rules = { scope: 'every_line', scopes: [], rules: [], law: [], rulesAsOf: '2026-11-01' };
  const open = async () => {
    seedAdminSession();
    stubServer({
      'POST /auth/v1/logout': () => new Response(null, { status: 204 }),
      'GET /api/admin/calling-rules': () => ok(rules),
    });
    const { user } = renderApp('/admin/calling-rules');
    return { user, form: within(await screen.findByRole('form', { name: 'Add a rule' })) };
  };
  const { user, form } = await open();
  await user.type(form.getByLabelText('State'), 'FL');
  await user.type(form.getByLabelText('Reason'), 'Our own policy');
  await endSession();
  cleanup();
  const again = (await open()).form;
  expect(again.getByLabelText('State')).toHaveValue('FL');
  expect(again.getByLabelText('Reason')).toHaveValue('Our own policy');
});
