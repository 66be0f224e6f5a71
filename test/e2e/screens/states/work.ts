import { read, see } from '#test/e2e/harness/steps.ts';
import { button, openList, type State } from './state.ts';

/** The dialogs that begin work. */
export const WORK: readonly State[] = [
  {
    name: 'search-without-key',
    as: 'newcomer',
    async reach(page) {
      await page.goto('/search');
      await read(page, 'Google Places is not connected');
    },
  },
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
];
