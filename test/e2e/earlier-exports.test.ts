import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { buildListOf } from '#test/lists.ts';
import { answerInstead } from './harness/calls.ts';
import { checkAccessibility, setUpJourney } from './harness/journey.ts';
import { sideScroll } from './harness/looks.ts';
import { download, gone, read, see, toast } from './harness/steps.ts';
import { SMALL_PHONE } from './harness/visitor.ts';

const journey = setUpJourney();
const LEADS = [{ email: 'ada@harbour.example', email_confidence: 93 }, {}, {}];

test('an export is fetched again as it was, and deleted', async () => {
  const session = await journey.person('keeper');
  const listId = await buildListOf(journey.db, session.userId, LEADS, { name: 'Bakers', status: 'completed' });
  const { page } = await journey.visit({ session, viewport: SMALL_PHONE });
  await page.goto(`/lists/${listId}`);
  const dialog = page.getByRole('dialog', { name: 'Export leads' });
  const open = () => page.getByRole('button', { name: 'Export', exact: true }).click();
  const press = (name: string | RegExp) => dialog.getByRole('button', { name }).click();

  await open();
  await read(dialog, 'None yet. We keep a copy of each file for as long as you have this list.');
  await dialog.getByRole('radio', { name: 'Has emails' }).click();
  const first = await download(page, () => press('Download CSV'));
  await journey.db
    .updateTable('leads')
    .set({ email: 'changed@harbour.example' })
    .where('list_id', '=', listId)
    .execute();

  await open();
  await read(dialog, /^Has emails · 1 lead · \d+ kB$/);
  expect(await sideScroll(page)).toBe(0);
  await checkAccessibility(page);
  expect(await download(page, () => press(/^Download the export of .* again$/))).toEqual(first);

  const coming = page.waitForEvent('download', (file) => file.suggestedFilename().startsWith('fairlead-evidence-'));
  await press(/^Download the evidence of the export of /);
  expect(await readFile(await (await coming).path(), 'utf8')).toContain('export.begun');

  await press(/^Delete the export of /);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await read(dialog, 'None yet.');
  const { rows } = await sql`select name from storage.objects`.execute(journey.db);
  expect(rows).toEqual([]);
});

test('a copy that fails stops no download, and says so', async () => {
  const session = await journey.person('unlucky');
  const listId = await buildListOf(journey.db, session.userId, LEADS, { name: 'Bakers', status: 'completed' });
  const visitor = await journey.visit({ session });
  const { page } = visitor;
  visitor.expectFailure(/\/storage\/v1\/object\//);
  await page.goto(`/lists/${listId}`);
  const path = `/storage/v1/object/list/exports`;
  const stop = await answerInstead(page, `POST ${path}`, { status: 400, body: { message: 'No.' } });
  await page.route(/\/storage\/v1\/object\/exports\//, (route) => route.abort('connectionreset'));
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Export leads' });
  await read(dialog, 'Earlier exports could not be loaded');
  await stop();
  await dialog.getByRole('button', { name: 'Retry' }).click();
  await read(dialog, 'None yet.');
  await download(page, () => dialog.getByRole('button', { name: 'Download CSV' }).click());
  await see(toast(page, 'CSV downloaded'));
  await see(toast(page, 'Copy not saved'));
  await gone(dialog);
});
