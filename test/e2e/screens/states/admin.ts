import { read } from '#test/e2e/harness/steps.ts';
import { button, open, type State } from './state.ts';

/** Screens of administrators. */
export const ADMINISTRATION: readonly State[] = [
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
  { name: 'suppressions', as: 'regular', reach: (page) => open(page, '/suppressions') },
  {
    name: 'suppressions-sources',
    as: 'admin',
    async reach(page) {
      await open(page, '/suppressions');
      const on = page.getByRole('switch', { name: 'Public page' });
      if ((await on.getAttribute('aria-checked')) === 'false') await on.click();
      await read(page, /\/stop$/);
    },
  },
  {
    name: 'suppressions-erase',
    as: 'admin',
    async reach(page) {
      await open(page, '/suppressions');
      await button(page, 'Erase…').click();
      await read(page, 'Erase this contact for good?');
    },
  },
  { name: 'evidence', as: 'admin', reach: (page) => open(page, '/evidence') },
  { name: 'imports', as: 'regular', reach: (page) => open(page, '/imports') },
  { name: 'admin-sources', as: 'admin', reach: (page) => open(page, '/admin/sources') },
  { name: 'stop', as: 'admin', reach: (page) => open(page, '/stop') },
  { name: 'admin-calling-rules', as: 'admin', reach: (page) => open(page, '/admin/calling-rules') },
  {
    name: 'admin-calling-rules-refused',
    as: 'admin',
    async reach(page) {
      await open(page, '/admin/calling-rules');
      await page.getByLabel('State').fill('FL');
      await page.getByLabel('To', { exact: true }).fill('21:00');
      await page.getByLabel('Reason').last().fill('Evenings');
      await button(page, 'Add rule').click();
      await read(page, 'Your own rules can only be stricter than the law.');
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
