import { expect, test } from 'vitest';
import { checkAccessibility, setUpJourney } from '#test/e2e/harness/journey.ts';
import { download, read, see, toast } from '#test/e2e/harness/steps.ts';
import { buildListOf, readLeads } from '#test/lists.ts';

const journey = setUpJourney();

const name = (index: number) => `Shop ${index}`;
const buildLong = (userId: string, count: number) =>
  buildListOf(
    journey.db,
    userId,
    Array.from({ length: count }, (_, index) => ({
      business_name: name(index),
      place_id: `shop-${index}`,
      email: index % 2 === 0 ? `owner${index}@shop.example` : null,
      address: `${index} Oak Street, ${index % 3 === 0 ? 'Peoria' : 'Springfield'}, IL 62701, USA`,
    })),
    { name: 'long list', lead_count: count },
  );

test('a long list is sorted, filtered and paged by the server, and the address holds the view', async () => {
  const session = await journey.person('long');
  const listId = await buildLong(session.userId, 450);
  const { page } = await journey.visit({ session });
  const firstCell = page.getByRole('row').nth(1);
  await page.goto(`/lists/${listId}`);
  await read(page, 'Showing 1-25 of 450 leads');
  await page.getByRole('button', { name: 'Business Name', exact: true }).click();
  await page.getByRole('button', { name: 'Business Name', exact: true }).click();
  await read(firstCell, /^Shop 449/);
  // Behind the first part, and back again.
  await page.goto(`${page.url()}&page=4`);
  await page.getByRole('button', { name: 'Page 5' }).click();
  await read(firstCell, /^Shop 349/);
  await page.goBack();
  await read(firstCell, /^Shop 374/);

  await page.getByRole('button', { name: 'Filters' }).click();
  const filters = page.getByRole('dialog', { name: 'Filters' });
  await filters.getByLabel('City').fill('peoria');
  await filters.getByLabel('City').press('Enter');
  await read(page, '150 leads match');
  await checkAccessibility(page);
  await page.keyboard.press('Escape');
  expect(new URL(page.url()).searchParams.get('city')).toBe('peoria');
  await page.reload();
  await read(page, '150 leads match');
  await page.getByRole('button', { name: 'Remove filter: In peoria' }).click();
  await read(page, 'Showing 1-25 of 450 leads');
});

test('a table scrolls through all leads, and has only those in view in the document', async () => {
  const session = await journey.person('scroller');
  const listId = await buildLong(session.userId, 2_000);
  const { page } = await journey.visit({ session });
  await page.goto(`/lists/${listId}`);
  await read(page, 'Showing 1-25 of 2000 leads');
  await page.getByRole('button', { name: 'Scroll through all' }).click();
  const region = page.getByRole('region', { name: 'Leads', exact: true });
  await see(page.getByRole('row', { name: /Shop 8\b/ }));
  await checkAccessibility(page);
  await region.evaluate((box) => box.scrollTo({ top: box.scrollHeight }));
  await see(page.getByRole('button', { name: name(1_999), exact: true }));
  expect(await page.getByRole('row').count()).toBeLessThan(90);
  await page.getByRole('checkbox', { name: 'Select all leads' }).click();
  await read(page.getByRole('region', { name: 'Selected leads' }), '2,000 selected');
  await region.evaluate((box) => box.scrollTo({ top: box.scrollHeight / 2 }));
  await see(page.getByRole('checkbox', { name: `Select ${name(1_000)}`, exact: true }));
  await expect
    .poll(() => page.getByRole('checkbox', { name: `Select ${name(1_000)}`, exact: true }).isChecked())
    .toBe(true);
  await page.reload();
  await read(page, 'All 2,000 leads');
  await page.getByRole('button', { name: 'Show pages' }).click();
  await read(page, 'Showing 1-25 of 2000 leads');
});

test('all that match are exported, moved and deleted', async () => {
  const session = await journey.person('mover');
  const listId = await buildLong(session.userId, 120);
  const visitor = await journey.visit({ session });
  const { page } = visitor;
  await page.goto(`/lists/${listId}?has=email`);
  await read(page, '60 leads match');
  await page.getByRole('checkbox', { name: 'Select all leads of this page' }).click();
  await page.getByRole('button', { name: 'Select all 60 matching' }).click();
  await page.getByRole('checkbox', { name: `Select ${name(0)}` }).click();
  await read(page.getByRole('region', { name: 'Selected leads' }), '59 selected');
  await page.getByRole('button', { name: 'Export Selected' }).click();
  const { text } = await download(page, () => page.getByRole('button', { name: 'Download CSV' }).click());
  expect(text.trimEnd().split('\r\n')).toHaveLength(60);
  const selected = page.getByRole('region', { name: 'Selected leads' });
  await expect
    .poll(async () => {
      const [said, bar] = await Promise.all([toast(page, 'CSV downloaded').boundingBox(), selected.boundingBox()]);
      return said && bar ? bar.y - (said.y + said.height) : undefined;
    })
    .toBeGreaterThanOrEqual(0);

  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Move to Another List' }).click();
  const dialog = page.getByRole('dialog', { name: 'Move 59 leads' });
  await dialog.getByLabel('Name of the new list').fill('with emails');
  await checkAccessibility(page);
  await dialog.getByRole('button', { name: 'Move' }).dblclick();
  await see(toast(page, 'Leads moved'));
  await read(page, '1 lead matches');
  expect(await page.getByRole('region', { name: 'Selected leads' }).count()).toBe(0);

  await page.getByRole('checkbox', { name: `Select ${name(0)}` }).click();
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await read(page, 'No leads match');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await read(page, 'Showing 1-25 of 60 leads');
  expect(await readLeads(journey.db, listId)).toHaveLength(60);
});
