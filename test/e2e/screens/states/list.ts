import { read, see } from '#test/e2e/harness/steps.ts';
import { button, open, openList, type State } from './state.ts';

/** The page of a list. */
export const ONE_LIST: readonly State[] = [
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
  {
    name: 'list-columns',
    as: 'regular',
    async reach(page, { people }) {
      await openList(page, people, 'enriched');
      await button(page, 'Columns').click();
      await see(page.getByRole('dialog', { name: 'Columns' }));
    },
  },
  {
    name: 'list-filters',
    as: 'regular',
    async reach(page, { people }) {
      await openList(page, people, 'enriched');
      await page.goto(`${page.url()}?has=email&verdict=safe&city=Springfield`);
      await button(page, 'Filters (3)').click();
      await see(page.getByRole('dialog', { name: 'Filters' }));
    },
  },
  {
    name: 'list-copy-leads',
    as: 'regular',
    async reach(page, { people }) {
      await openList(page, people, 'enriched');
      await page.getByRole('table').getByRole('checkbox').first().click();
      await page.getByRole('button', { name: 'More', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Copy to Another List' }).click();
      await see(page.getByRole('dialog', { name: 'Copy 25 leads' }));
    },
  },
  {
    name: 'list-callable-first',
    as: 'regular',
    async reach(page, { people }) {
      await open(page, `/lists/${people.lists.enriched}?sort=call.asc`);
      await see(page.getByRole('region', { name: 'Calls today' }));
    },
  },
  {
    name: 'list-call-panel',
    as: 'regular',
    async reach(page, { people }) {
      await openList(page, people, 'enriched');
      await page.getByRole('row').nth(1).getByRole('button').first().click();
      await read(page, 'Have counsel review the table of rules');
      await page.getByRole('region', { name: 'Call', exact: true }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'list-export-calls',
    as: 'regular',
    async reach(page, { people }) {
      await openList(page, people, 'enriched');
      await button(page, 'Export').click();
      await page.getByRole('radio', { name: 'Callable soon' }).click();
      await see(page.getByRole('combobox', { name: 'Within' }));
    },
  },
  {
    name: 'list-export-unverified',
    as: 'regular',
    async reach(page, { people }) {
      await openList(page, people, 'enriched');
      await button(page, 'Export').click();
      await page.getByRole('button', { name: 'Verify emails…' }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'enrich-verify',
    as: 'regular',
    async reach(page, { people }) {
      await openList(page, people, 'enriched');
      await button(page, 'Export').click();
      await page.getByRole('button', { name: 'Verify emails…' }).click();
      await see(page.getByText(/emails to verify/));
    },
  },
  { name: 'list-processing', as: 'regular', reach: (page, { people }) => openList(page, people, 'processing') },
  { name: 'list-failed', as: 'regular', reach: (page, { people }) => openList(page, people, 'failed') },
  { name: 'list-archived', as: 'regular', reach: (page, { people }) => openList(page, people, 'archived') },
  { name: 'list-empty', as: 'regular', reach: (page, { people }) => openList(page, people, 'empty') },
  {
    name: 'list-map',
    as: 'regular',
    async reach(page, { people }) {
      await open(page, `/lists/${people.lists.plain}?map=1`);
      await see(page.getByRole('application', { name: 'Map of Springfield, IL' }));
    },
  },
  {
    name: 'certificate',
    as: 'regular',
    reach: (page, { people }) => open(page, `/lists/${people.lists.plain}/coverage`),
  },
  { name: 'list-unknown', as: 'regular', reach: (page) => open(page, '/lists/none') },
];
