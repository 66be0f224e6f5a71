import Papa from 'papaparse';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { SWEEP_MARKER_KEY } from '#contract/work/retention.ts';
import { checkAccessibility, setUpJourney, tellAsOneStory } from '#test/e2e/harness/journey.ts';
import { linkOf } from '#test/e2e/harness/site.ts';
import {
  arriveAt,
  card,
  chooseFromMenu,
  download,
  fillSearch,
  gone,
  read,
  see,
  toast,
  typeKey,
} from '#test/e2e/harness/steps.ts';
import type { Visitor } from '#test/e2e/harness/visitor.ts';

// One story, from the first visit to the last: each test goes on where the one before it ended.
const journey = setUpJourney({ ownPostgres: true });
const EMAIL = 'olive@people.example';
const LIST = 'dentist in Springfield, IL';
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  visitor = await journey.visit({ lasting: true });
  page = visitor.page;
});
tellAsOneStory();

const button = (name: string | RegExp, within: Page | Locator = page) => within.getByRole('button', { name });

test('the first visit leads to the sign-in', async () => {
  await page.goto('/');
  await see(page.getByRole('heading', { name: 'Sign in to Fairlead' }));
  await arriveAt(page, '/login');
  await expect.poll(() => button('Send magic link').isDisabled()).toBe(true);
  await checkAccessibility(page);
});

test('a link is asked for, and opened', async () => {
  await page.getByLabel('Email').fill(EMAIL);
  await button('Send magic link').click();
  await read(page, 'Check your email for a magic link to sign in.');
  await checkAccessibility(page);
  await button('Use a different email').click();
  await see(button('Send magic link'));
  const mail = await journey.site.mailTo(EMAIL);
  expect(mail.subject).toBe('Sign in to Fairlead');
  await page.goto(linkOf(mail));
  await see(page.getByRole('heading', { name: 'Dashboard' }));
  await arriveAt(page, '/');
});

test('the dashboard of someone new says what to do first', async () => {
  await read(page, 'No lists yet');
  await read(page, 'Get started by searching for leads');
  await see(button('Create Your First List'));
  await read(page, 'Setup required');
  await checkAccessibility(page);
  await page.getByRole('link', { name: 'Go to Settings' }).click();
  await arriveAt(page, '/settings');
});

test('an empty or wrong key shows its error and is not saved', async () => {
  const google = page.getByRole('region', { name: 'Google Places' });
  await google.getByRole('button', { name: 'Connect' }).click();
  const dialog = page.getByRole('dialog', { name: 'Connect Google Places' });
  await button('Test & Save', dialog).click();
  await read(dialog, 'Please enter an API key');
  await dialog.getByLabel('API key').fill('sandbox-bad-key');
  await button('Test & Save', dialog).click();
  await see(dialog.getByRole('alert'));
  await expect.poll(() => dialog.getByRole('alert').innerText()).toMatch(/Google.*key/);
  await checkAccessibility(page);
  await button('Cancel', dialog).click();
  await read(google, 'Not connected');
  await page.reload();
  await read(google, 'Not connected');
});

test('the three providers are connected with sandbox keys', async () => {
  for (const provider of ['Google Places', 'Hunter.io', 'SearchBug']) {
    const dialog = await typeKey(page, provider, 'sandbox');
    await gone(dialog);
    await see(page.getByRole('region', { name: provider }).getByText('Connected', { exact: true }));
  }
  const google = page.getByRole('region', { name: 'Google Places' });
  expect(await google.innerText()).not.toContain('sandbox');
  await button('Test', google).click();
  await read(page, 'Connection successful ✓');
  await checkAccessibility(page);
});

test('a search is described, checked as it is typed, and priced', async () => {
  await page.getByRole('link', { name: 'New Search' }).click();
  const dialog = page.getByRole('dialog', { name: 'New Search' });
  await see(dialog);
  await arriveAt(page, '/');
  await expect.poll(() => dialog.getByLabel('Search radius').innerText()).toBe('25 miles');
  await expect.poll(() => dialog.getByLabel('Max results').innerText()).toBe('60 leads');
  const cost = dialog.getByRole('region', { name: 'Cost and savings' });
  await expect.poll(() => cost.innerText()).toContain('$1.02');
  await dialog.getByLabel('Business type').fill('de');
  await dialog.getByLabel('Location').fill('S');
  await dialog.getByLabel('Location').blur();
  await read(dialog, 'Business type must be at least 3 characters');
  await read(dialog, 'Location must be at least 2 characters');
  await expect.poll(() => button('Start Search', dialog).isDisabled()).toBe(true);
  await checkAccessibility(page);
  await fillSearch(page, { what: 'dentist', where: 'Springfield, IL', max: '30' });
  await gone(dialog.getByText('Business type must be at least 3 characters'));
  await expect
    .poll(() => cost.innerText())
    .toMatch(/\$0\.51[\s\S]*\$10\.50 – \$45\.00[\s\S]*You save[\s\S]*\$9\.99 – \$44\.49/);
});

test('its card follows it from processing to completed', async () => {
  await button('Start Search').click();
  await read(card(page, LIST), 'Data Processing');
  await read(toast(page, 'Search complete'), /\d+ leads found/);
  await read(card(page, LIST), 'Basic');
  await gone(card(page, LIST).getByText('Data Processing'));
  await expect.poll(() => card(page, LIST).innerText()).toMatch(/Springfield, IL[\s\S]*\d+ leads[\s\S]*45% complete/);
  await read(page, 'Ready to search');
  await read(page, 'Showing 1-1 of 1 lists');
  await checkAccessibility(page);
});

test('the list shows the place that was found and its leads', async () => {
  await card(page, LIST).getByRole('link', { name: 'View' }).click();
  await see(page.getByRole('heading', { name: LIST, level: 1 }));
  await read(page, /Springfield, IL · \d+ leads? · 45% complete · Created /);
  await see(page.getByRole('row').nth(25));
  await read(page, /Showing 1-25 of \d+ leads/);
  expect(await headers()).toEqual(['Business Name', 'Phone', 'Address', 'Website']);
  await button('Business Name', page.getByRole('table')).click();
  await arriveAt(page, /sort=/);
  await see(page.locator('th[aria-sort=ascending]'));
  const names = await columnOf('Business Name');
  expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
  await checkAccessibility(page);
});

test('emails, owners and the compliance check are bought together', async () => {
  const leads = await leadCount();
  await button('+ Add Emails & Contacts').click();
  const dialog = page.getByRole('dialog', { name: 'Enrich list' });
  const emails = dialog.getByRole('checkbox', { name: /Emails/ });
  const compliance = dialog.getByRole('checkbox', { name: /compliance/ });
  await expect.poll(() => emails.isChecked()).toBe(true);
  await expect.poll(() => compliance.isChecked()).toBe(false);
  await emails.click();
  await read(dialog, 'Select at least one enrichment option');
  await expect.poll(() => button('Start Enrichment', dialog).isDisabled()).toBe(true);
  await emails.click();
  await compliance.click();
  await read(dialog.getByRole('region', { name: 'Cost' }), `$${(leads * 0.07).toFixed(2)}`);
  await checkAccessibility(page);
  await button('Start Enrichment', dialog).click();
  await read(page, 'Data Processing');
  await read(toast(page, 'Enrichment complete'), /\d+ emails? and \d+ contacts? added\. Cost: \$\d+\.\d\d\./);
  await see(page.getByRole('list', { name: 'Status' }).getByText('Compliance', { exact: true }));
  for (const badge of ['Emails (Tier 2)', 'Contacts (Tier 2)', 'Sandbox data'])
    await see(page.getByRole('list', { name: 'Status' }).getByText(badge));
  await gone(page.getByText('Data Processing'));
  await read(page, /· 65% complete ·/);
  expect(await headers()).toEqual(
    expect.arrayContaining(['Email', 'Confidence', 'Owner Name', 'Title', 'Phone Type', 'Status']),
  );
  expect((await columnOf('Email')).filter((email) => /^\S+@\S+\.example$/.test(email)).length).toBeGreaterThan(3);
  // Owners come from Hunter, which is asked only where the website has no address.
  expect((await columnOf('Owner Name')).filter((owner) => /^\S+ \S+/.test(owner)).length).toBeGreaterThan(1);
  expect(new Set(await columnOf('Status'))).toContain('Clean');
  await checkAccessibility(page);
});

test('the exported file is right', async () => {
  const leads = await leadCount();
  await button('Export').click();
  const dialog = page.getByRole('dialog', { name: 'Export leads' });
  await expect.poll(() => dialog.getByRole('radio', { name: 'Clean only' }).isChecked()).toBe(true);
  await read(dialog, /You are responsible for following telemarketing law/);
  await checkAccessibility(page);
  const clean = Number.parseInt(await dialog.getByRole('status').filter({ hasText: 'to export' }).innerText(), 10);
  expect(clean).toBeGreaterThan(0);
  expect(clean).toBeLessThan(leads);
  const file = await download(page, () => button('Download CSV', dialog).click());
  const today = await page.evaluate<string>("new Date().toLocaleDateString('sv')");
  expect(file.name).toBe(`${LIST} - ${today}.csv`);
  expect(file.text.charCodeAt(0)).toBe(0xfeff);
  expect(file.text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  const { data, errors, meta } = Papa.parse<Record<string, string>>(file.text.slice(1), {
    header: true,
    skipEmptyLines: true,
  });
  expect(errors).toEqual([]);
  expect(meta.fields).toEqual([
    'Business Name',
    'Phone',
    'Address',
    'Website',
    'Email',
    'Email Confidence',
    'Owner Name',
    'Title',
    'Email Verified',
    'Phone Type',
    'Compliance Status',
    'Sandbox Data',
  ]);
  expect(data).toHaveLength(clean);
  expect(new Set(data.map((row) => row['Compliance Status']))).toEqual(new Set(['clean']));
  expect(new Set(data.map((row) => row['Sandbox Data']))).toEqual(new Set(['Yes']));
  expect(data.every((row) => /555-01\d\d$/.test(row.Phone ?? ''))).toBe(true);
  await gone(dialog);
});

test('chosen rows are exported and checked by themselves', async () => {
  const table = page.getByRole('table');
  await table.getByRole('checkbox').nth(1).click();
  await table.getByRole('checkbox').nth(2).click();
  await read(page, '2 selected');
  await checkAccessibility(page);
  await button('Export Selected').click();
  const dialog = page.getByRole('dialog', { name: 'Export selected leads' });
  await dialog.getByRole('radiogroup', { name: 'Compliance' }).getByRole('radio', { name: 'All numbers' }).click();
  await read(dialog, /^2 leads to export/);
  await button('Cancel', dialog).click();
  await gone(dialog);
  await button('Clear selection').click();
  await gone(page.getByText('2 selected'));
});

test('the list is renamed, archived, restored and deleted', async () => {
  await chooseFromMenu(page, LIST, 'Rename');
  const rename = page.getByRole('dialog', { name: 'Rename list' });
  await rename.getByLabel('List name').fill('   ');
  await expect.poll(() => button('Save', rename).isDisabled()).toBe(true);
  await rename.getByLabel('List name').fill('  Teeth  ');
  await checkAccessibility(page);
  await button('Save', rename).click();
  await read(toast(page, 'Renamed'), 'List name updated successfully.');
  await see(page.getByRole('heading', { name: 'Teeth', exact: true, level: 1 }));

  await page.getByRole('link', { name: 'Dashboard' }).first().click();
  await chooseFromMenu(page, 'Teeth', 'Archive List');
  await read(toast(page, 'List archived'), 'Will be permanently deleted in 30 days.');
  await read(page, 'No active lists');
  await page.getByRole('radio', { name: /^Archived/ }).click();
  await read(card(page, 'Teeth'), /Deletes in (29|30) days/);
  expect(
    await card(page, 'Teeth')
      .getByRole('button', { name: /Add Emails|Check Compliance/ })
      .count(),
  ).toBe(0);
  await checkAccessibility(page);
  await chooseFromMenu(page, 'Teeth', 'Restore List');
  await read(page, 'No archived lists');
  await page.getByRole('radio', { name: /^Active/ }).click();

  await chooseFromMenu(page, 'Teeth', 'Delete');
  const confirm = page.getByRole('alertdialog');
  await expect
    .poll(() => confirm.innerText())
    .toMatch(/Are you sure you want to delete “Teeth”\?\s+This action cannot be undone\./);
  await checkAccessibility(page);
  await button('Cancel', confirm).click();
  await see(card(page, 'Teeth'));
  await chooseFromMenu(page, 'Teeth', 'Delete');
  await button('Proceed', confirm).click();
  await read(toast(page, 'Deleted'), 'List has been deleted.');
  await read(page, 'No lists yet');
});

test('a key is taken away only after it was asked for twice', async () => {
  await page.getByRole('link', { name: 'Settings' }).first().click();
  const bug = page.getByRole('region', { name: 'SearchBug' });
  await button('Disconnect', bug).click();
  const confirm = page.getByRole('alertdialog', { name: 'Disconnect SearchBug?' });
  await read(confirm, "This will permanently remove your API key. You'll need to reconnect to use this service again.");
  await checkAccessibility(page);
  await button('Disconnect', confirm).click();
  await see(toast(page, 'Disconnected'));
  await read(bug, 'Not connected');
});

test('logging out ends the session', async () => {
  await page.getByRole('link', { name: 'Account', exact: true }).click();
  await read(page.getByRole('region', { name: 'Authentication' }), EMAIL);
  await see(page.getByRole('region', { name: 'API Keys' }).getByRole('link', { name: /Manage/ }));
  await checkAccessibility(page);
  await page.evaluate(`localStorage.setItem('${SWEEP_MARKER_KEY}', '1')`);
  await button('Logout').click();
  await see(page.getByRole('heading', { name: 'Sign in to Fairlead' }));
  await arriveAt(page, '/login');
  expect(await page.evaluate(`localStorage.getItem('${SWEEP_MARKER_KEY}')`)).toBeNull();
  await page.goto('/settings');
  await see(page.getByRole('heading', { name: 'Sign in to Fairlead' }));
});

async function headers(): Promise<string[]> {
  const all = await page.getByRole('columnheader').allInnerTexts();
  return all.map((text) => text.trim()).filter(Boolean);
}

async function columnOf(header: string): Promise<string[]> {
  const all = await page.getByRole('columnheader').allInnerTexts();
  const index = all.findIndex((text) => text.trim() === header);
  const cells = page.locator(`tbody tr td:nth-child(${index + 1})`);
  return (await cells.allInnerTexts()).map((text) => text.trim());
}

async function leadCount(): Promise<number> {
  const summary = await page.getByText(/ leads? · \d+% complete/).innerText();
  return Number(/(\d+) leads?/.exec(summary)?.[1]);
}
