import type { Page } from 'playwright-core';
import { fillSearch, read, see } from '#test/e2e/harness/steps.ts';
import type { PaidListName, RunName } from '#test/e2e/screens/paid-work.ts';
import type { People } from '#test/e2e/screens/people.ts';
import { button, open, type State } from './state.ts';

const openPaidList = (page: Page, { paid }: People, list: PaidListName) => open(page, `/lists/${paid.lists[list]}`);

/** A run in its panel, over its list. */
const run = (name: RunName, list: PaidListName): State => ({
  name: `run-${name}`,
  as: 'spender',
  reach: (page, { people }) => openRun(page, people, name, list),
});

async function openRun(page: Page, { paid }: People, name: RunName, list: PaidListName): Promise<void> {
  await page.goto(`/lists/${paid.lists[list]}?run=${paid.runs[name]}`);
  const panel = page.getByRole('dialog');
  await see(panel.getByText('Spent', { exact: true }));
  await see(
    panel
      .getByRole('listitem')
      .or(panel.getByText(/^No calls/))
      .first(),
  );
}

/** What work costs, while it is worked on and afterwards. */
export const PAID_WORK: readonly State[] = [
  { name: 'dashboard-at-work', as: 'spender', reach: (page) => open(page, '/') },
  { name: 'list-at-work', as: 'spender', reach: (page, { people }) => openPaidList(page, people, 'at work') },
  { name: 'list-waiting', as: 'spender', reach: (page, { people }) => openPaidList(page, people, 'waiting') },
  { name: 'list-stuck', as: 'spender', reach: (page, { people }) => openPaidList(page, people, 'stuck') },
  { name: 'list-expired', as: 'spender', reach: (page, { people }) => openPaidList(page, people, 'expired') },
  run('running', 'at work'),
  run('queued', 'at work'),
  run('found', 'at work'),
  run('down', 'waiting'),
  run('cancelled', 'cancelled'),
  run('lost', 'lost'),
  run('pages', 'lost'),
  run('stuck', 'stuck'),
  run('nothing', 'expired'),
  {
    name: 'run-unknown',
    as: 'spender',
    async reach(page, { people }) {
      await page.goto(`/lists/${people.paid.lists.lost}?run=none`);
      await read(page, 'Run not found');
    },
  },
  {
    name: 'run-cancel',
    as: 'spender',
    async reach(page, { people }) {
      await openRun(page, people, 'running', 'at work');
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Cancel/ })
        .click();
      await see(page.getByRole('alertdialog'));
    },
  },
  {
    name: 'run-finish',
    as: 'spender',
    async reach(page, { people }) {
      await openRun(page, people, 'cancelled', 'cancelled');
      await button(page, 'Finish the rest').click();
      await read(page.getByRole('alertdialog'), 'You will be charged at most');
    },
  },
  {
    name: 'run-settle-all',
    as: 'spender',
    async reach(page, { people }) {
      await openRun(page, people, 'lost', 'lost');
      await button(page, 'Settle all').click();
      await see(page.getByRole('dialog', { name: /charged\?/ }));
    },
  },
  {
    name: 'run-settle-one',
    as: 'spender',
    async reach(page, { people }) {
      await openRun(page, people, 'pages', 'lost');
      await button(page, /^Settle Results/).click();
      await see(page.getByRole('dialog', { name: /charged\?/ }));
    },
  },
  {
    name: 'lead-details',
    as: 'spender',
    async reach(page, { people }) {
      await openPaidList(page, people, 'expired');
      await button(page, /Tulsa Florist 6$/).click();
      await read(page.getByRole('dialog'), /Paid for by|Remembered/);
    },
  },
  {
    name: 'recheck-expired',
    as: 'spender',
    async reach(page, { people }) {
      await openPaidList(page, people, 'expired');
      await button(page, 'Re-check only the expired').click();
      await read(page.getByRole('alertdialog'), 'You will be charged at most');
    },
  },
  {
    name: 'check-too-much',
    as: 'spender',
    async reach(page, { people }) {
      await openPaidList(page, people, 'cancelled');
      await button(page, 'Check Compliance').click();
      await page.getByLabel('Spend at most').fill('a lot');
      await read(page.getByRole('alertdialog'), 'Enter an amount');
    },
  },
  {
    name: 'enrich-priced',
    as: 'spender',
    async reach(page, { people }) {
      await openPaidList(page, people, 'cancelled');
      await button(page, '+ Add Emails & Contacts').click();
      await page.getByRole('dialog').getByRole('checkbox').last().click();
      await read(page.getByRole('dialog'), 'You will be charged at most');
    },
  },
  {
    name: 'search-counted',
    as: 'spender',
    async reach(page) {
      await page.goto('/search');
      await fillSearch(page, { what: 'florist', where: 'Tulsa, OK' });
      await read(page.getByRole('dialog'), /places ·|not been looked up/);
    },
  },
  {
    name: 'budgets',
    as: 'spender',
    async reach(page) {
      await open(page, '/settings#budgets');
      await see(page.getByLabel('Each month', { exact: true }));
    },
  },
  {
    name: 'budgets-invalid',
    as: 'spender',
    async reach(page) {
      await open(page, '/settings#budgets');
      await page.getByLabel('Each month', { exact: true }).fill('ten dollars');
      await page.getByLabel('Each run', { exact: true }).fill('1e99');
      await button(page, 'Save budgets').click();
      await read(page, 'Enter an amount in dollars');
    },
  },
  { name: 'usage-filled', as: 'spender', reach: (page) => open(page, '/usage?money=sandbox') },
  { name: 'usage-real', as: 'spender', reach: (page) => open(page, '/usage?period=30-days') },
  {
    name: 'usage-no-days',
    as: 'spender',
    reach: (page) => open(page, '/usage?period=custom&from=2025-01-01&to=2025-01-03'),
  },
  {
    name: 'usage-table',
    as: 'spender',
    async reach(page) {
      await open(page, '/usage?period=30-days');
      await page.getByText('Show as a table').click();
    },
  },
  {
    name: 'budgets-of-user',
    as: 'admin',
    async reach(page) {
      await open(page, '/admin/users');
      await button(page, /^Budgets.*spender/).click();
      await see(page.getByLabel('Each month', { exact: true }));
    },
  },
];
