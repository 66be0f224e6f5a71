import type { Page } from 'playwright-core';
import { choose, read, see } from '#test/e2e/harness/steps.ts';
import { button, openList, type State } from './state.ts';

async function openAreaSearch(page: Page) {
  await page.goto('/search');
  const dialog = page.getByRole('dialog', { name: 'New Search' });
  await dialog.getByLabel('Business type').fill('dentist');
  await choose(page, dialog.getByLabel('Max results'), 'All in the area');
  return dialog;
}

/** Two clicks in less are a double-click, which would end the shape. */
const CLICKS_APART_MS = 350;

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
    name: 'search-area',
    as: 'regular',
    async reach(page) {
      const dialog = await openAreaSearch(page);
      await choose(page, dialog.getByLabel('Area', { exact: true }), 'A county');
      await choose(page, dialog.getByLabel('State'), 'Illinois');
      await choose(page, dialog.getByLabel('County'), 'Cook County');
      await see(dialog.getByRole('button', { name: 'Count this area (free)' }));
    },
  },
  {
    name: 'search-area-drawn',
    as: 'regular',
    async reach(page) {
      const dialog = await openAreaSearch(page);
      await choose(page, dialog.getByLabel('Area', { exact: true }), 'A shape, drawn or pasted');
      const map = dialog.getByRole('application');
      await read(dialog, 'Click to set the first corner.');
      for (const position of [
        { x: 90, y: 90 },
        { x: 220, y: 80 },
        { x: 200, y: 170 },
      ]) {
        await map.click({ position });
        await page.waitForTimeout(CLICKS_APART_MS);
      }
      await dialog.getByRole('button', { name: 'Finish drawing' }).click();
      await read(dialog, '4 points');
    },
  },
  {
    name: 'search-area-counted',
    as: 'regular',
    async reach(page) {
      const dialog = await openAreaSearch(page);
      await choose(page, dialog.getByLabel('Area', { exact: true }), 'ZIP codes');
      await dialog.getByLabel('ZIP codes').fill('62701');
      const begin = dialog.getByRole('button', { name: 'Count this area (free)' });
      const counted = dialog.getByText(/pages? to pay for/);
      await see(begin.or(counted).first());
      if (await begin.isVisible()) await begin.click();
      await see(counted);
    },
  },
  {
    name: 'enrich',
    as: 'regular',
    async reach(page, { people }) {
      await openList(page, people, 'plain');
      await button(page, '+ Add Emails & Contacts').click();
      await read(page.getByRole('dialog', { name: 'Enrich list' }), 'You will be charged at most');
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
