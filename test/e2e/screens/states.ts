import type { Page } from 'playwright-core';
import { linkOf, type Site } from '#test/e2e/harness/site.ts';
import { card, gone, read, see, typeKey } from '#test/e2e/harness/steps.ts';
import type { People } from './people.ts';

/** A state of a screen: whose browser shows it, and how to get there. `page` is at any other state before. */
export type State = {
  name: string;
  as: 'stranger' | 'newcomer' | 'regular' | 'admin';
  reach: (page: Page, around: { site: Site; people: People }) => Promise<void>;
};

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first();
const PLAIN = 'dentist in Springfield, IL';

const SETTLES_MS = 700;

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await see(page.getByRole('heading', { level: 1 }));
  // The stream of live changes never ends, so the network is never idle.
  await page.waitForTimeout(SETTLES_MS);
}

async function openList(page: Page, people: People, list: keyof People['lists']): Promise<void> {
  await page.goto(`/lists/${people.lists[list]}`);
  await see(page.getByRole('heading', { level: 1 }));
  await see(list === 'empty' ? page.getByText('No leads found') : page.getByRole('row').nth(10));
}

async function chooseFromCard(page: Page, item: string): Promise<void> {
  await open(page, '/');
  await card(page, PLAIN)
    .getByRole('button', { name: /^More actions/ })
    .click();
  await page.getByRole('menuitem', { name: item }).click();
}

export const STATES: readonly State[] = [
  { name: 'login', as: 'stranger', reach: (page) => open(page, '/login') },
  {
    name: 'login-denied',
    as: 'stranger',
    async reach(page) {
      await open(page, '/login');
      await page.getByLabel('Email').fill('stranger@people.example');
      await button(page, 'Send magic link').click();
      await read(page, /Access denied/);
    },
  },
  {
    name: 'login-sent',
    as: 'stranger',
    async reach(page) {
      await open(page, '/login');
      await page.getByLabel('Email').fill('newcomer@people.example');
      await button(page, 'Send magic link').click();
      await read(page, 'Check your email');
    },
  },
  {
    name: 'login-other-browser',
    as: 'stranger',
    async reach(page, { site }) {
      await page.evaluate('localStorage.clear()');
      await page.goto(linkOf(await site.mailTo('newcomer@people.example')));
      await read(page, 'another browser');
    },
  },
  { name: 'dashboard-new', as: 'newcomer', reach: (page) => open(page, '/') },
  {
    name: 'search-without-key',
    as: 'newcomer',
    async reach(page) {
      await page.goto('/search');
      await read(page, 'Google Places is not connected');
    },
  },
  { name: 'settings-new', as: 'newcomer', reach: (page) => open(page, '/settings') },
  {
    name: 'key-dialog',
    as: 'newcomer',
    async reach(page) {
      await open(page, '/settings');
      await page.getByRole('region', { name: 'SearchBug' }).getByRole('button', { name: 'Connect' }).click();
      await see(page.getByRole('dialog'));
    },
  },
  {
    name: 'key-dialog-refused',
    as: 'newcomer',
    async reach(page) {
      await open(page, '/settings');
      await see((await typeKey(page, 'Google Places', 'sandbox-bad-key')).getByRole('alert'));
    },
  },
  { name: 'dashboard', as: 'regular', reach: (page) => open(page, '/') },
  { name: 'dashboard-archived', as: 'regular', reach: (page) => open(page, '/?view=archived') },
  { name: 'dashboard-no-match', as: 'regular', reach: (page) => open(page, '/?q=zeppelin') },
  {
    name: 'search',
    as: 'regular',
    async reach(page) {
      await page.goto('/search');
      await see(page.getByRole('dialog', { name: 'New Search' }));
    },
  },
  {
    name: 'search-invalid',
    as: 'regular',
    async reach(page) {
      await page.goto('/search');
      await page.getByLabel('Business type').fill('x');
      await page.getByLabel('Location').fill('y');
      await page.getByLabel('Location').blur();
      await read(page, 'Location must be at least');
    },
  },
  {
    name: 'search-select',
    as: 'regular',
    async reach(page) {
      await page.goto('/search');
      await page.getByLabel('Search radius').click();
      await see(page.getByRole('option').last());
    },
  },
  {
    name: 'card-menu',
    as: 'regular',
    async reach(page) {
      await open(page, '/');
      await card(page, PLAIN)
        .getByRole('button', { name: /^More actions/ })
        .click();
      await see(page.getByRole('menu'));
    },
  },
  {
    name: 'rename',
    as: 'regular',
    async reach(page) {
      await chooseFromCard(page, 'Rename');
      await see(page.getByRole('dialog', { name: 'Rename list' }));
    },
  },
  {
    name: 'delete',
    as: 'regular',
    async reach(page) {
      await chooseFromCard(page, 'Delete');
      await see(page.getByRole('alertdialog'));
    },
  },
  {
    name: 'toast',
    as: 'regular',
    async reach(page) {
      await open(page, '/settings');
      await button(page, 'Test').click();
      await read(page, 'Connection successful');
    },
  },
  {
    name: 'enrich',
    as: 'regular',
    async reach(page, { people }) {
      await openList(page, people, 'plain');
      await button(page, '+ Add Emails & Contacts').click();
      await see(page.getByRole('dialog', { name: 'Enrich list' }));
    },
  },
  {
    name: 'compliance',
    as: 'regular',
    async reach(page, { people }) {
      await openList(page, people, 'plain');
      await button(page, 'Check Compliance').click();
      await see(page.getByRole('alertdialog'));
    },
  },
  {
    name: 'export-unchecked',
    as: 'regular',
    async reach(page, { people }) {
      await openList(page, people, 'plain');
      await button(page, 'Export').click();
      await see(page.getByRole('dialog', { name: 'Export leads' }));
    },
  },
  {
    name: 'retry',
    as: 'regular',
    async reach(page, { people }) {
      await openList(page, people, 'failed');
      await button(page, 'Retry').click();
      await see(page.getByRole('alertdialog'));
    },
  },
  { name: 'list-plain', as: 'regular', reach: (page, { people }) => openList(page, people, 'plain') },
  { name: 'list-enriched', as: 'regular', reach: (page, { people }) => openList(page, people, 'enriched') },
  {
    name: 'list-enriched-right',
    as: 'regular',
    async reach(page, { people }) {
      await openList(page, people, 'enriched');
      await page.getByRole('columnheader').last().scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'list-selection',
    as: 'regular',
    async reach(page, { people }) {
      await openList(page, people, 'enriched');
      for (const row of [1, 2, 3]) await page.getByRole('table').getByRole('checkbox').nth(row).click();
      await read(page, '3 selected');
    },
  },
  { name: 'list-processing', as: 'regular', reach: (page, { people }) => openList(page, people, 'processing') },
  { name: 'list-failed', as: 'regular', reach: (page, { people }) => openList(page, people, 'failed') },
  { name: 'list-archived', as: 'regular', reach: (page, { people }) => openList(page, people, 'archived') },
  { name: 'list-empty', as: 'regular', reach: (page, { people }) => openList(page, people, 'empty') },
  { name: 'list-unknown', as: 'regular', reach: (page) => open(page, '/lists/none') },
  { name: 'settings', as: 'regular', reach: (page) => open(page, '/settings') },
  {
    name: 'disconnect',
    as: 'regular',
    async reach(page) {
      await open(page, '/settings');
      await button(page, 'Disconnect').click();
      await see(page.getByRole('alertdialog'));
    },
  },
  { name: 'account', as: 'regular', reach: (page) => open(page, '/account') },
  {
    name: 'delete-account-dialog',
    as: 'regular',
    async reach(page) {
      await open(page, '/account');
      await button(page, 'Delete account').click();
      await see(page.getByRole('dialog'));
    },
  },
  { name: 'terms', as: 'stranger', reach: (page) => open(page, '/terms') },
  { name: 'privacy', as: 'stranger', reach: (page) => open(page, '/privacy') },
  { name: 'data-sources', as: 'stranger', reach: (page) => open(page, '/data-sources') },
  { name: 'usage', as: 'regular', reach: (page) => open(page, '/usage') },
  { name: 'not-found', as: 'regular', reach: (page) => open(page, '/nowhere') },
  {
    name: 'avatar-menu',
    as: 'regular',
    async reach(page) {
      await open(page, '/account');
      await button(page, 'Account menu').click();
      await see(page.getByRole('menu'));
    },
  },
  {
    name: 'sidebar-toggled',
    as: 'regular',
    async reach(page) {
      await open(page, '/account');
      await button(page, 'Toggle sidebar').click();
      await gone(page.getByRole('tooltip'));
    },
  },
  {
    name: 'palette',
    as: 'regular',
    async reach(page) {
      await open(page, '/account');
      await page.keyboard.press('Control+k');
      await see(page.getByRole('dialog'));
    },
  },
  {
    name: 'shortcuts',
    as: 'regular',
    async reach(page) {
      await open(page, '/account');
      await page.keyboard.press('?');
      await see(page.getByRole('dialog'));
    },
  },
  {
    name: 'training-video',
    as: 'regular',
    async reach(page) {
      await open(page, '/usage');
      await button(page, 'Watch the tour').click();
      await see(page.getByRole('dialog'));
    },
  },
  { name: 'admin-refused', as: 'regular', reach: (page) => open(page, '/admin/users') },
  { name: 'training', as: 'admin', reach: (page) => open(page, '/admin/training') },
  {
    name: 'training-dialog-invalid',
    as: 'admin',
    async reach(page) {
      await open(page, '/admin/training');
      await button(page, 'Add Training Video').click();
      await button(page, 'Add Video').click();
      await read(page, 'Validation Error');
    },
  },
  { name: 'users', as: 'admin', reach: (page) => open(page, '/admin/users') },
  {
    name: 'users-crm-access',
    as: 'admin',
    async reach(page) {
      await open(page, '/admin/users');
      await button(page, /^View Keap Tags/).click();
      await read(page, /Overall access|Failed to load/);
    },
  },
  { name: 'admin-audit', as: 'admin', reach: (page) => open(page, '/admin/audit') },
  {
    name: 'admin-audit-details',
    as: 'admin',
    async reach(page) {
      await open(page, '/admin/audit');
      await button(page, /^Details of/).click();
      await read(page, 'Request ID');
    },
  },
  { name: 'admin-settings', as: 'admin', reach: (page) => open(page, '/admin/settings') },
  {
    name: 'admin-settings-connected',
    as: 'admin',
    async reach(page) {
      await open(page, '/admin/settings');
      const connection = page.getByRole('region', { name: 'OAuth connect' });
      if (await connection.getByText('Not connected').isVisible()) {
        await page.getByLabel('Client ID').fill('sandbox-client');
        await page.getByLabel('Client Secret').fill('sandbox-secret');
        await button(page, /credentials$/).click();
        await connection.getByRole('button', { name: 'Connect' }).click();
        await button(page, 'Allow').click();
      }
      await read(page, '600 tags');
    },
  },
];
