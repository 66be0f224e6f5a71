import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { buildListOf } from '#test/lists.ts';
import { checkAccessibility, setUpJourney } from './harness/journey.ts';
import type { Session } from './harness/site.ts';
import { choose, download, gone, read, see, toast } from './harness/steps.ts';

const journey = setUpJourney({ env: { ADMIN_EMAILS: 'admin@people.example' } });
let admin: Session;
let seller: Session;
beforeAll(async () => {
  [admin, seller] = [await journey.person('admin'), await journey.person('seller')];
});

const roofers = () =>
  buildListOf(
    journey.db,
    seller.userId,
    Array.from({ length: 12 }, (_, at) => ({
      business_name: `Invented Roofing ${at}`,
      phone: `+1 512-555-01${String(at).padStart(2, '0')}`,
      email: `desk${at}@roofing-${at}.example`,
    })),
    { name: 'Roofers in Austin, TX' },
  );
const entries = (page: Page) => page.getByRole('list', { name: 'Suppressed contacts' });

test('a contact that was exported shows its clock, its files and who should be told', async () => {
  const listId = await roofers();
  const { page } = await journey.visit({ session: seller });
  await page.goto(`/lists/${listId}`);
  await page.getByRole('button', { name: 'Export' }).click();
  await download(page, () => page.getByRole('button', { name: /^Download/ }).click());
  await page.goto('/suppressions');
  const adding = page.getByRole('region', { name: 'Add to the list' });
  await adding.getByLabel('What to suppress').fill('(512) 555.0107 ext 3');
  await adding.getByRole('button', { name: 'Suppress' }).click();
  await see(toast(page, 'Suppressed'));
  await read(adding, /Stop contact from this export at once\. The last day by law is/);
  await read(adding, new RegExp(`Tell ${seller.email}`));
  const entry = entries(page).getByRole('listitem').first();
  await entry.getByText('In 1 past export').click();
  await read(entry, /^Roofers in Austin, TX - \d{4}-\d\d-\d\d\.csv$/);
  await checkAccessibility(page);
});

test('an administrator switches the public page on, and a stranger suppresses an address by its code', async () => {
  const { page } = await journey.visit({ session: admin });
  await page.goto('/suppressions');
  await page.getByRole('switch', { name: 'Public page' }).click();
  await read(page, /\/stop$/);
  await checkAccessibility(page);

  const { page: outside } = await journey.visit({});
  await outside.goto('/stop');
  await choose(outside, outside.getByLabel('What should not be contacted'), 'My email address');
  await outside.getByLabel('Your email address').fill('Olive.Invented@gmail.com');
  await outside.getByRole('button', { name: 'Continue' }).click();
  const code = outside.getByLabel('6-digit code');
  await code.fill('12');
  await outside.getByRole('button', { name: 'Stop contacting me' }).click();
  await read(outside, 'Enter the 6 digits of the code.');
  const { subject } = await journey.site.mailTo('Olive.Invented@gmail.com');
  await code.fill(/\d{6}/.exec(subject)?.[0] ?? '');
  await checkAccessibility(outside);
  await outside.getByRole('button', { name: 'Stop contacting me' }).click();
  await read(outside, 'You will not be contacted anymore');

  await page.reload();
  await read(entries(page), 'oliveinvented@gmail.com');
});

test('an open page of a list shows within seconds what an import holds back', async () => {
  const listId = await roofers();
  const { page } = await journey.visit({ session: seller });
  await page.goto(`/lists/${listId}`);
  await see(page.getByRole('row').nth(5));
  const counted = page.waitForResponse((answer) => answer.url().endsWith(`/api/lists/${listId}/leads/counts`), {
    timeout: 5_000,
  });
  const { page: other } = await journey.visit({ session: admin });
  await other.goto('/suppressions');
  await other.getByLabel('File to import').setInputFiles({
    name: 'stop.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('phone\n512-555-0101\n512-555-0102\n'),
  });
  await read(other, '2 entries added');
  const answer = (await (await counted).json()) as { data: { suppressed: number } };
  expect(answer.data.suppressed).toBe(3);
});

test('an erased contact is gone from the list, within seconds from an open page, and stays out', async () => {
  const listId = await roofers();
  const { page: open } = await journey.visit({ session: seller });
  await open.goto(`/lists/${listId}`);
  const row = open.getByRole('row').filter({ hasText: '512-555-0103' });
  await see(row);
  const { page } = await journey.visit({ session: admin });
  await page.goto('/suppressions');
  await page.getByRole('button', { name: 'Erase…' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Erase this contact for good?' });
  await dialog.getByRole('button', { name: 'Erase' }).click();
  await read(dialog, 'Enter what is to be erased.');
  await dialog.getByLabel('What to erase').fill('+1 512 555 0103');
  await checkAccessibility(page);
  await dialog.getByRole('button', { name: 'Erase' }).click();
  await row.waitFor({ state: 'detached' });
  expect(await open.content()).not.toMatch(/512\D{0,3}555\D{0,3}0103|desk3@/);
  await gone(dialog);
  await see(toast(page, 'Erased'));
  const left = await journey.db.selectFrom('leads').select('phone').where('list_id', '=', listId).execute();
  expect(left).toHaveLength(11);
});
