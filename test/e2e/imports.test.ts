import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { drop, FILE } from './harness/dropped-file.ts';
import { checkAccessibility, setUpJourney } from './harness/journey.ts';
import { gone, see } from './harness/steps.ts';

const journey = setUpJourney();

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
