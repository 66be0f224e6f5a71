import { card, see } from '#test/e2e/harness/steps.ts';
import { chooseFromCard, open, PLAIN, type State } from './state.ts';

/** The dashboard and what its cards open. */
export const LISTS: readonly State[] = [
  { name: 'dashboard-new', as: 'newcomer', reach: (page) => open(page, '/') },
  { name: 'dashboard', as: 'regular', reach: (page) => open(page, '/') },
  { name: 'dashboard-archived', as: 'regular', reach: (page) => open(page, '/?view=archived') },
  { name: 'dashboard-no-match', as: 'regular', reach: (page) => open(page, '/?q=zeppelin') },
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
];
