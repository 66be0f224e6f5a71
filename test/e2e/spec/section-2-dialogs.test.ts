import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { setUpJourney } from '#test/e2e/harness/journey.ts';
import type { Session } from '#test/e2e/harness/site.ts';
import { card, focused, gone, read, see, tabTo, toast } from '#test/e2e/harness/steps.ts';
import { buildListOf, readList } from '#test/lists.ts';

// Nothing here is clicked.
const journey = setUpJourney();
/** Holds a key as long as a finger would. A radio is chosen only if the focus comes to it while the arrow is down. */
async function holdUntil(page: Page, key: string, seen: () => Promise<void>): Promise<void> {
  await page.keyboard.down(key);
  await seen();
  await page.keyboard.up(key);
}
let session: Session;
let plain: string;

beforeAll(async () => {
  session = await journey.person('kim');
  await journey.site.connect(session, 'google_places', 'sandbox');
  await journey.site.connect(session, 'hunter_io', 'sandbox');
  await journey.site.connect(session, 'searchbug', 'sandbox');
  const leads = Array.from({ length: 3 }, (_, index) => ({ phone: `+1 217-555-014${index}` }));
  plain = await buildListOf(journey.db, session.userId, leads, { name: 'plain' });
  const broken = await buildListOf(journey.db, session.userId, leads, { name: 'broken', status: 'failed' });
  // Retry repeats what a run tells of itself.
  await journey.db
    .insertInto('app.runs')
    .values({
      user_id: session.userId,
      list_id: broken,
      list_name: 'broken',
      kind: 'enrichment',
      input: '{}',
      state: 'failed',
      error_message: 'Hunter is down.',
      sandbox: true,
      finished_at: new Date(),
    })
    .execute();
});

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

/** Opens something from its button and returns the button, which gets the focus back afterwards. */
async function press(page: Page, name: string | RegExp, list?: string) {
  const opener = list ? card(page, list).getByRole('button', { name }) : button(page, name).first();
  await opener.focus();
  await page.keyboard.press('Enter');
  return opener;
}

test('New Search: typed, chosen, started with Enter', async () => {
  const { page } = await journey.visit({ session });
  await page.goto('/');
  await see(card(page, 'plain'));
  await press(page, 'New Search');
  const dialog = page.getByRole('dialog', { name: 'New Search' });
  await focused(dialog.getByLabel('Business type'));
  await page.keyboard.type('florist');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Springfield, IL');
  await tabTo(dialog.getByLabel('Max results'));
  await page.keyboard.press('Enter');
  await focused(page.getByRole('option', { name: '60 leads' }));
  await page.keyboard.press('Home');
  await focused(page.getByRole('option', { name: '20 leads' }));
  await page.keyboard.press('Enter');
  await read(dialog.getByRole('region', { name: 'Cost and savings' }), '$0.34');
  await tabTo(button(page, 'Start Search'));
  await page.keyboard.press('Enter');
  await gone(dialog);
  await see(card(page, 'florist in Springfield, IL'));
  await see(toast(page, 'Search complete'));
});

test('Enrich: options ticked with Space, left with Cancel', async () => {
  const { page } = await journey.visit({ session });
  await page.goto('/');
  const opener = await press(page, /Add Emails/, 'plain');
  const dialog = page.getByRole('dialog', { name: 'Enrich list' });
  const total = dialog.getByRole('region', { name: 'Cost' });
  await read(total, /Total\s*\$0\.15/);
  await tabTo(dialog.getByRole('checkbox', { name: /compliance/ }));
  await page.keyboard.press('Space');
  await read(total, /Total\s*\$0\.21/);
  await tabTo(button(page, 'Cancel'));
  await page.keyboard.press('Enter');
  await gone(dialog);
  await focused(opener);
});

test('Export: filter and compliance by arrows, downloaded with Enter', async () => {
  const { page } = await journey.visit({ session });
  await page.goto(`/lists/${plain}`);
  await press(page, 'Export');
  const dialog = page.getByRole('dialog', { name: 'Export leads' });
  await read(dialog, /3\s*leads to export/);
  await expect.poll(() => dialog.getByRole('radio').count()).toBe(8);
  const which = dialog.getByRole('radiogroup', { name: 'Leads to export' });
  const all = which.getByRole('radio', { name: 'All leads' });
  await tabTo(all);
  await holdUntil(page, 'ArrowDown', () => gone(all.and(which.getByRole('radio', { checked: true }))));
  await read(dialog, /0\s*leads to export/);
  await expect.poll(() => button(page, 'Download CSV').isDisabled()).toBe(true);
  await holdUntil(page, 'ArrowUp', () => see(all.and(which.getByRole('radio', { checked: true }))));
  await read(dialog, /3\s*leads to export/);
  const coming = page.waitForEvent('download');
  await tabTo(button(page, 'Download CSV'));
  await page.keyboard.press('Enter');
  expect((await coming).suggestedFilename()).toMatch(/^plain - \d{4}-\d\d-\d\d\.csv$/);
  await gone(dialog);
});

test('Rename: typed over and saved with Enter', async () => {
  const { page } = await journey.visit({ session });
  await page.goto('/');
  const opener = await press(page, /^More actions/, 'plain');
  await focused(page.getByRole('menuitem', { name: 'Rename' }));
  await page.keyboard.press('Enter');
  await focused(page.getByLabel('List name'));
  await page.keyboard.type('  simple ');
  await page.keyboard.press('Enter');
  await read(toast(page, 'Renamed'), 'List name updated successfully.');
  expect((await readList(journey.db, plain)).name).toBe('simple');
  await see(card(page, 'simple'));
  await gone(page.getByRole('dialog'));
  expect(await opener.isVisible()).toBe(false);
});

test('Check Compliance, Retry and Delete ask first, and Escape says no', async () => {
  const { page } = await journey.visit({ session });
  await page.goto('/');
  for (const [name, list, title, cost] of [
    ['Check Compliance', 'simple', 'Check compliance', '$0.06'],
    ['Retry', 'broken', 'Retry the email enrichment?', '$0.15'],
  ] as const) {
    const opener = await press(page, new RegExp(name), list);
    const dialog = page.getByRole('alertdialog', { name: title });
    await read(dialog, cost);
    await focused(dialog.getByRole('button', { name: 'Cancel' }));
    await page.keyboard.press('Escape');
    await gone(dialog);
    await focused(opener);
  }
  await press(page, /^More actions/, 'broken');
  await focused(page.getByRole('menuitem').first());
  await page.keyboard.press('End');
  await focused(page.getByRole('menuitem', { name: 'Delete' }));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('alertdialog', { name: 'Delete list' });
  await tabTo(dialog.getByRole('button', { name: 'Proceed' }));
  await page.keyboard.press('Enter');
  await read(toast(page, 'Deleted'), 'List has been deleted.');
  await gone(card(page, 'broken'));
});

test('API key and Disconnect', async () => {
  const { page } = await journey.visit({ session });
  await page.goto('/settings');
  const bug = page.getByRole('region', { name: 'SearchBug' });
  await bug.getByRole('button', { name: 'Disconnect' }).focus();
  await page.keyboard.press('Enter');
  const confirm = page.getByRole('alertdialog', { name: 'Disconnect SearchBug?' });
  await tabTo(confirm.getByRole('button', { name: 'Disconnect' }));
  await page.keyboard.press('Enter');
  await see(toast(page, 'Disconnected'));
  await bug.getByRole('button', { name: 'Connect' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Connect SearchBug' });
  await focused(dialog.getByLabel('Account Number'));
  await page.keyboard.type('1234567');
  await page.keyboard.press('Tab');
  const key = dialog.getByLabel('API Key');
  await focused(key);
  await page.keyboard.type('sandbox');
  await tabTo(dialog.getByRole('button', { name: 'Show key' }));
  await page.keyboard.press('Enter');
  await expect.poll(() => key.getAttribute('type')).toBe('text');
  await tabTo(dialog.getByRole('button', { name: 'Test & Save' }));
  await page.keyboard.press('Enter');
  await gone(dialog);
  await see(bug.getByText('Connected', { exact: true }));
});
