import { mkdirSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { checkAccessibility, setUpJourney } from './harness/journey.ts';
import { gone, see } from './harness/steps.ts';
import { PHONE } from './harness/visitor.ts';

const journey = setUpJourney();
const FILE = [
  'Company;Phone Number;E-Mail;Site;Street;Town;ST;ZIP;Looked After By',
  'Acme Dental LLC;(312) 555-0101;desk@acme-dental.example;www.acme-dental.example;12 Main St;Springfield;IL;62701;Olive',
  'Bright Smiles;312.555.0102;;bright.example;9 Oak Ave;Springfield;IL;62702;Pat',
  'Bright Smiles again;312.555.0102;info@bright.example;;;;;;Pat',
  'No Phone Bakery;12;;;;;;;',
].join('\r\n');

/** Lets go of a file above the page, as a mouse would. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  await see(page.getByText('Drop a file here'));
  const file = JSON.stringify({ name, text });
  await page.evaluate(`{
    const file = ${file};
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([file.text], file.name, { type: 'text/csv' }));
    const target = [...document.querySelectorAll('p')].find((one) => one.textContent.startsWith('Drop a file here'));
    target.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }));
  }`);
}

test('a file is dropped, corrected by keyboard, made into a list, exported, and taken back', async () => {
  const mara = await journey.person('mara');
  const { page } = await journey.visit({ session: mara });
  await page.goto('/imports');
  await see(page.getByText('No imports yet'));
  await checkAccessibility(page);
  await drop(page, 'My clients.csv', FILE);
  await see(page.getByRole('heading', { name: 'My clients.csv' }));
  await see(page.getByText('9 columns · UTF-8 · semicolons · with a header'));
  await see(page.getByRole('cell', { name: '12 Main St, Springfield, IL 62701, USA' }));
  await see(page.getByText('1 row with something that cannot be read'));
  await checkAccessibility(page);
  const choice = page.getByRole('combobox', { name: 'Read Looked After By as' });
  await choice.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('option', { name: 'Owner name' }).press('Enter');
  await see(page.getByRole('columnheader', { name: 'Owner name' }));
  await page.getByRole('button', { name: 'Import 4 rows' }).click();
  await see(page.getByRole('list', { name: 'Imports' }).getByText('Imported', { exact: true }));
  await see(page.getByText('3 added · 1 skipped · 1 row with problems'));
  await checkAccessibility(page);

  await page.getByRole('list', { name: 'Imports' }).getByRole('link', { name: 'My clients' }).click();
  await see(page.getByRole('heading', { name: 'My clients' }));
  await see(page.getByRole('cell', { name: 'desk@acme-dental.example' }));
  await page
    .getByRole('button', { name: /Export/ })
    .first()
    .click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('dialog')
      .getByRole('button', { name: /Export|Download/ })
      .last()
      .click(),
  ]);
  const lines = readFileSync(await file.path(), 'utf8')
    .trimEnd()
    .split('\r\n');
  expect(lines).toHaveLength(4);
  expect(lines[1]).toContain('Acme Dental LLC');

  await page.goto('/imports');
  await page.getByRole('button', { name: 'Undo My clients.csv' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Undo import' }).click();
  await see(page.getByText('Undone', { exact: true }));
  await gone(page.getByRole('link', { name: 'My clients' }));
});

test('its states are whole on a phone and in both themes', async () => {
  const otto = await journey.person('otto');
  mkdirSync('screens/imports', { recursive: true });
  for (const viewport of [PHONE, { width: 1440, height: 900 }])
    for (const theme of ['light', 'dark'] as const) {
      const { page } = await journey.visit({ session: otto, viewport, theme });
      await page.goto('/imports');
      await drop(page, `list ${viewport.width} ${theme}.csv`, FILE);
      await see(page.getByRole('columnheader', { name: 'Business name' }));
      await checkAccessibility(page);
      const tooWide = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
      expect(tooWide).toBe(false);
      await page.screenshot({ path: `screens/imports/review-${viewport.width}-${theme}.png`, fullPage: true });
    }
});
