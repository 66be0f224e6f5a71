import { beforeAll, expect, test } from 'vitest';
import { type Answer, answerInstead } from '#test/e2e/harness/calls.ts';
import { setUpJourney } from '#test/e2e/harness/journey.ts';
import type { Session } from '#test/e2e/harness/site.ts';
import { choose, download, gone, read, see } from '#test/e2e/harness/steps.ts';
import { buildListOf } from '#test/lists.ts';

const journey = setUpJourney();
let session: Session;

beforeAll(async () => {
  session = await journey.person('connie');
  await journey.site.connect(session, 'hunter_io', 'sandbox');
});

test('a table page has 25 rows', async () => {
  const leads = Array.from({ length: 151 }, () => ({}));
  const id = await buildListOf(journey.db, session.userId, leads, { name: 'long' });
  const { page } = await journey.visit({ session });
  await page.goto(`/lists/${id}`);
  await read(page, 'Showing 1-25 of 151 leads');
  await expect.poll(() => page.locator('tbody tr').count()).toBe(25);
  const pages = page.getByRole('navigation', { name: 'Pages' });
  await expect
    .poll(() => pages.getByRole('button', { name: /^Page / }).allInnerTexts())
    .toEqual(['1', '2', '3', '4', '5']);
  await page.goto(`/lists/${id}?page=7`);
  await read(page, 'Showing 151-151 of 151 leads');
  await expect
    .poll(() => pages.getByRole('button', { name: /^Page / }).allInnerTexts())
    .toEqual(['3', '4', '5', '6', '7']);
});

test('a search costs $0.017 a lead and saves against $0.35 to $1.50', async () => {
  const { page } = await journey.visit({ session });
  await page.goto('/search');
  const dialog = page.getByRole('dialog', { name: 'New Search' });
  const panel = dialog.getByRole('region', { name: 'Cost and savings' });
  const told: Record<string, string[]> = {};
  for (const max of ['20', '30', '60']) {
    await choose(page, dialog.getByLabel('Max results'), `${max} leads`);
    await read(panel, `${max} leads × $0.017`);
    told[max] = (await panel.innerText()).match(/\$[\d.]+|\d+%/g) ?? [];
  }
  const rates = { search: '$0.017', low: '$0.35', high: '$1.50', percent: ['95%', '99%'] };
  const lines = (cost: string, bought: string[], saved: string[]) => [
    ...[rates.search, cost, rates.low, rates.high, ...bought],
    ...[...rates.percent, ...saved],
  ];
  expect(told).toEqual({
    20: lines('$0.34', ['$7.00', '$30.00'], ['$6.66', '$29.66']),
    30: lines('$0.51', ['$10.50', '$45.00'], ['$9.99', '$44.49']),
    60: lines('$1.02', ['$21.00', '$90.00'], ['$19.98', '$88.98']),
  });
});

test('a file has the columns of what is complete, and the name of list and day', async () => {
  const { page } = await journey.visit({ session });
  const headersOf = async (name: string, row: Parameters<typeof buildListOf>[3]) => {
    const id = await buildListOf(journey.db, session.userId, [{}], { name, sandbox: false, ...row });
    await page.goto(`/lists/${id}`);
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('radiogroup', { name: 'Compliance' }).getByRole('radio', { name: 'All numbers' }).click();
    const file = await download(page, () => page.getByRole('button', { name: 'Download CSV' }).click());
    const today = await page.evaluate<string>("new Date().toLocaleDateString('sv')");
    expect(file.name).toBe(`${name} - ${today}.csv`);
    return file.text.slice(1).split('\r\n')[0]?.split(',');
  };
  const base = ['Business Name', 'Phone', 'Address', 'Website'];
  expect(await headersOf('bare', {})).toEqual(base);
  expect(await headersOf('second', { tier2_complete: true })).toEqual([...base, 'Email', 'Email Confidence']);
  const all = { tier2_complete: true, tier3_complete: true, tier4_complete: true, compliance_checked: true };
  expect(await headersOf('all', all)).toEqual([
    ...[...base, 'Email', 'Email Confidence', 'Owner Name', 'Title', 'Email Verified', 'Phone Type'],
    'Compliance Status',
  ]);
});

test('toasts stay for 4 s, three to be seen at a time; tooltips wait for 700 ms', async () => {
  const { page } = await journey.visit({ session });
  await page.goto('/settings');
  const silent: Answer = { status: 200, body: { success: true, data: { valid: false, saved: false } } };
  await answerInstead(page, 'POST /api/keys/test', silent);
  const test = page.getByRole('region', { name: 'Hunter.io' }).getByRole('button', { name: 'Test', exact: true });
  const toasts = page.locator('[data-sonner-toast]');
  for (let count = 1; count <= 4; count += 1) {
    await test.click();
    await toasts.nth(count - 1).waitFor({ state: 'attached' });
  }
  await expect.poll(() => page.locator('[data-sonner-toast][data-visible=true]').count()).toBe(3);

  await page.reload();
  await test.click();
  await see(toasts);
  const shown = Date.now();
  // Under the pointer they would stay for longer.
  const toggle = page.getByRole('button', { name: 'Toggle sidebar' });
  await toggle.hover();
  const hovered = Date.now();
  await see(page.getByRole('tooltip'));
  expect(Date.now() - hovered).toBeGreaterThan(600);
  await gone(toasts);
  expect(Date.now() - shown).toBeGreaterThan(3_800);
  expect(Date.now() - shown).toBeLessThan(8_000);
});
