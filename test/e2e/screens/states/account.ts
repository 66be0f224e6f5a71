import type { Page } from 'playwright-core';
import { read, see, typeKey } from '#test/e2e/harness/steps.ts';
import { button, open, type State } from './state.ts';

async function openNumberDialog(page: Page): Promise<void> {
  await open(page, '/account');
  await button(page, 'Add number…').click();
  await see(page.getByRole('dialog'));
}

/** Keys, account and usage of someone. */
export const ACCOUNT: readonly State[] = [
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
  {
    name: 'toast',
    as: 'regular',
    async reach(page) {
      await open(page, '/settings');
      await button(page, 'Test').click();
      await read(page, 'Connection successful');
    },
  },
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
  { name: 'account-number', as: 'spender', reach: (page) => open(page, '/account') },
  { name: 'number-dialog', as: 'regular', reach: openNumberDialog },
  {
    name: 'number-dialog-code',
    as: 'regular',
    async reach(page) {
      await openNumberDialog(page);
      await page.getByLabel('Phone number').fill('+1 217 555 0143');
      await button(page, 'Text me a code').click();
      await read(page, 'We texted a code');
    },
  },
  {
    name: 'delete-account-dialog',
    as: 'regular',
    async reach(page) {
      await open(page, '/account');
      await button(page, 'Delete account').click();
      await see(page.getByRole('dialog'));
    },
  },
  { name: 'usage', as: 'regular', reach: (page) => open(page, '/usage') },
];
