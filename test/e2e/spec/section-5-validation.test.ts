import { beforeAll, expect, test } from 'vitest';
import { recordCalls } from '#test/e2e/harness/calls.ts';
import { setUpJourney } from '#test/e2e/harness/journey.ts';
import type { Session } from '#test/e2e/harness/site.ts';
import { card, choose, chooseFromMenu, gone, optionsOf, read, see, toast } from '#test/e2e/harness/steps.ts';
import { buildListOf } from '#test/lists.ts';

const journey = setUpJourney();
let session: Session;

beforeAll(async () => {
  session = await journey.person('val');
  await journey.site.connect(session, 'google_places', 'sandbox');
  await buildListOf(journey.db, session.userId, [{ compliance_status: 'dnc' }], {
    name: 'flagged',
    compliance_checked: true,
  });
  await buildListOf(journey.db, session.userId, [], { name: 'empty' });
});

test('New Search: what is short is said at its field, and the choices are fixed', async () => {
  const { page } = await journey.visit({ session });
  await page.goto('/search');
  const dialog = page.getByRole('dialog', { name: 'New Search' });
  const start = dialog.getByRole('button', { name: 'Start Search' });
  await expect.poll(() => start.isDisabled()).toBe(true);
  // Spaces do not count.
  await dialog.getByLabel('Business type').fill('  ab  ');
  await dialog.getByLabel('Location').fill(' a ');
  await dialog.getByLabel('Location').blur();
  await read(dialog, 'Business type must be at least 3 characters');
  await read(dialog, 'Location must be at least 2 characters');
  const describedBy = await dialog.getByLabel('Business type').getAttribute('aria-describedby');
  await expect
    .poll(() => dialog.locator(`[id="${describedBy?.split(' ').at(-1)}"]`).innerText())
    .toContain('at least 3');
  expect(await optionsOf(page, dialog.getByLabel('Search radius'))).toEqual(
    ['5', '10', '25', '50', '100'].map((miles) => `${miles} miles`),
  );
  expect(await optionsOf(page, dialog.getByLabel('Max results'))).toEqual([
    '20 leads',
    '30 leads',
    '60 leads',
    'All in the area',
  ]);
  await choose(page, dialog.getByLabel('Max results'), '60 leads');
  await dialog.getByLabel('Business type').fill('abc');
  await expect.poll(() => start.isDisabled()).toBe(true);
  await dialog.getByLabel('Location').fill('ab');
  await gone(dialog.getByText(/must be at least/));
  await expect.poll(() => start.isDisabled()).toBe(false);
});

test('an export of nothing cannot be downloaded', async () => {
  const { page } = await journey.visit({ session });
  await page.goto('/');
  await expect.poll(() => card(page, 'empty').getByRole('button', { name: 'Export' }).isDisabled()).toBe(true);
  await card(page, 'flagged').getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export leads' });
  await read(dialog, /0\s*leads to export/);
  await expect.poll(() => dialog.getByRole('button', { name: 'Download CSV' }).isDisabled()).toBe(true);
  await dialog.getByRole('radiogroup', { name: 'Compliance' }).getByRole('radio', { name: 'All numbers' }).click();
  await read(dialog, /1\s*lead to export/);
  await expect.poll(() => dialog.getByRole('button', { name: 'Download CSV' }).isDisabled()).toBe(false);
});

test('a name of spaces is not saved; while a name is being saved, it is not saved again', async () => {
  const { page } = await journey.visit({ session });
  await page.goto('/');
  await chooseFromMenu(page, 'flagged', 'Rename');
  const calls = recordCalls(page);
  const name = page.getByLabel('List name');
  await name.fill('   ');
  await name.press('Enter');
  await expect.poll(() => page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/rest/v1/lists?*', async (route) => {
    if (route.request().method() === 'PATCH') await held;
    await route.continue();
  });
  await name.fill('  renamed ');
  await name.press('Enter');
  await name.press('Enter');
  await see(page.getByRole('button', { name: 'Save', disabled: true }));
  await page.keyboard.press('Escape');
  await see(page.getByRole('dialog', { name: 'Rename list' }));
  answer();
  await see(toast(page, 'Renamed'));
  await see(card(page, 'renamed'));
  expect(calls.filter(({ what }) => what === 'PATCH /rest/v1/lists')).toHaveLength(1);
});

test('a blank field keeps the key that is there, and sends nothing', async () => {
  const { page } = await journey.visit({ session });
  await page.goto('/settings');
  const google = page.getByRole('region', { name: 'Google Places' });
  await google.getByRole('button', { name: 'Edit' }).click();
  const calls = recordCalls(page);
  const dialog = page.getByRole('dialog', { name: 'Edit Google Places key' });
  await dialog.getByLabel('API key').fill('   ');
  await dialog.getByRole('button', { name: 'Update' }).click();
  await gone(dialog);
  await see(google.getByText('Connected', { exact: true }));
  expect(calls.filter(({ what }) => what.startsWith('POST'))).toEqual([]);
});

test('Send magic link waits for an address and for its answer', async () => {
  const { page } = await journey.visit();
  await page.goto('/login');
  const send = page.getByRole('button', { name: 'Send magic link' });
  await see(send);
  await expect.poll(() => send.isDisabled()).toBe(true);
  await page.getByLabel('Email').fill('  ');
  await expect.poll(() => send.isDisabled()).toBe(true);
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/auth/precheck', async (route) => {
    await held;
    await route.continue();
  });
  await page.getByLabel('Email').fill('nobody@people.example');
  await send.click();
  await expect.poll(() => send.isDisabled()).toBe(true);
  answer();
  await read(page, 'Access denied. This email does not have the required access.');
  await expect.poll(() => send.isDisabled()).toBe(false);
});
