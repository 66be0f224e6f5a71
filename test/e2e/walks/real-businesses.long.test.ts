import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import Papa from 'papaparse';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkAccessibility, setUpJourney, tellAsOneStory } from '#test/e2e/harness/journey.ts';
import { card, chooseHunterAlone, download, fillSearch, gone, read, see } from '#test/e2e/harness/steps.ts';
import type { Visitor } from '#test/e2e/harness/visitor.ts';

const BUSINESSES = resolve('../shared/data/businesses-isle-of-man.csv');
const LIST = 'restaurant in Douglas, Isle of Man';

type Row = Record<string, string>;
const parse = (csv: string): Row[] => Papa.parse<Row>(csv, { header: true, skipEmptyLines: true }).data;

// The file does not belong to this repository: with a clone of it alone, there is nothing to run this on.
describe.skipIf(!existsSync(BUSINESSES))('the 1,005 businesses of the Isle of Man', () => {
  const journey = setUpJourney({ env: { SANDBOX_PLACES_CSV: BUSINESSES } });
  let visitor: Visitor;
  beforeAll(async () => {
    const session = await journey.person('mona');
    for (const provider of ['google_places', 'hunter_io'] as const)
      await journey.site.connect(session, provider, 'sandbox');
    await journey.site.connect(session, 'searchbug', '1234567:sandbox');
    visitor = await journey.visit({ session, lasting: true });
  });
  tellAsOneStory();

  const businesses = parse(readBusinesses());
  let exported: Row[];

  test('sixty restaurants within 25 miles of Douglas are found', async () => {
    const { page } = visitor;
    await page.goto('/search');
    const dialog = await fillSearch(page, {
      what: 'restaurant',
      where: 'Douglas, Isle of Man',
      radius: '25',
      max: '60',
    });
    await dialog.getByRole('button', { name: 'Start Search' }).click();
    await read(page, '60 leads found.');
    await card(page, LIST).getByRole('link', { name: 'View' }).click();
    await read(page, /Douglas, Isle of Man · 60 leads · 45% complete/);
    await see(page.getByRole('row').nth(25));
    await checkAccessibility(page);
  });

  test('what is exported is what the file says: accents, +44 numbers, and what is missing', async () => {
    const { page } = visitor;
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Export leads' });
    await read(dialog, 'This list has not been checked');
    const file = await download(page, () => dialog.getByRole('button', { name: 'Download CSV' }).click());
    exported = parse(file.text.slice(1));
    expect(exported).toHaveLength(60);
    // Names with their numbers stand in the file just so; some names are those of several businesses.
    const inFile = new Set(businesses.map(({ name, phone }) => `${name} | ${phone}`));
    expect(exported.filter((row) => !inFile.has(`${row['Business Name']} | ${row.Phone}`))).toEqual([]);
    expect(exported.some((row) => /[^\x20-\x7e]/.test(row['Business Name'] ?? ''))).toBe(true);
    expect(exported.filter((row) => row.Phone?.startsWith('+44 ')).length).toBeGreaterThan(10);
    expect(exported.some((row) => !row.Phone)).toBe(true);
    expect(exported.some((row) => !row.Website)).toBe(true);
    expect(exported.some((row) => row.Website)).toBe(true);
    await gone(dialog);
  });

  test('only businesses with a site of their own are looked up for emails', async () => {
    const { page } = visitor;
    await page.getByRole('button', { name: '+ Add Emails & Contacts' }).click();
    await chooseHunterAlone(page);
    await page.getByRole('button', { name: 'Start Enrichment' }).click();
    await read(page, /Enrichment complete/);
    await read(page, /not looked up: \d+ without a website/i);
    await see(page.getByRole('columnheader', { name: 'Email' }));
    const lookups = await journey.db
      .selectFrom('app.paid_calls')
      .selectAll()
      .where('provider', '=', 'hunter_io')
      .execute();
    const withSite = exported.filter((row) => row.Website).length;
    expect(lookups.length).toBeGreaterThan(5);
    expect(lookups.length).toBeLessThanOrEqual(withSite);
    expect(new Set(lookups.map(({ subject }) => subject)).size).toBe(lookups.length);
    expect(lookups.some(({ subject }) => /facebook|instagram|wixsite/.test(subject))).toBe(false);
  });

  test('numbers that are not American are never sent to the check, and say why', async () => {
    const { page } = visitor;
    await page.getByRole('button', { name: 'Check Compliance' }).click();
    const confirm = page.getByRole('alertdialog', { name: 'Check compliance' });
    await read(confirm, 'Only US numbers are sent.');
    await checkAccessibility(page);
    await read(confirm, 'No lead has a US phone number, so there is nothing to check.');
    await expect.poll(() => confirm.getByRole('button', { name: 'Check Compliance' }).isDisabled()).toBe(true);
    await confirm.getByRole('button', { name: 'Cancel' }).click();
    const sent = await journey.db
      .selectFrom('app.paid_calls')
      .select('id')
      .where('provider', '=', 'searchbug')
      .execute();
    expect(sent).toEqual([]);
  });
});

function readBusinesses(): string {
  return existsSync(BUSINESSES) ? readFileSync(BUSINESSES, 'utf8') : '';
}
