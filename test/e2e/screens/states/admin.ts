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
