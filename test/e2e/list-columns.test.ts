import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { buildListOf } from '#test/lists.ts';
import { checkAccessibility, setUpJourney } from './harness/journey.ts';
import type { Session } from './harness/site.ts';
import { focused, gone, see } from './harness/steps.ts';
import { PHONE } from './harness/visitor.ts';

const journey = setUpJourney();
const LAPTOP = { width: 1280, height: 800 };
const DECIDING = ['Business Name', 'Phone', 'Email', 'Confidence', 'Owner Name', 'Status'];
let mara: Session;
let otto: Session;
const lists: Record<string, string> = {};

beforeAll(async () => {
  [mara, otto] = await Promise.all([journey.person('mara'), journey.person('otto')]);
  const lead = (index: number) => ({
    business_name: `Calderstone Family Dentistry and Orthodontics ${index}`,
    phone: `+1 217-555-01${String(index).padStart(2, '0')}`,
    address: `${index} Elm Street, Springfield, IL 62701, USA`,
    website: `https://calderstone-${index}.example`,
  });
  const enriched = (index: number) => ({
    ...lead(index),
    email: `reception@calderstone-family-dentistry-${index}.example`,
    email_confidence: 100 - index,
    owner_name: 'Olive Abbersley-Harrington',
    owner_title: 'Practice owner',
    phone_type: 'voip',
    email_verified: true,
    compliance_status: index % 2 ? 'dnc' : 'not_checked',
  });
  const rows = <T>(make: (index: number) => T) => Array.from({ length: 30 }, (_, index) => make(index));
  const done = { tier2_complete: true, compliance_checked: true };
  lists.enriched = await buildListOf(journey.db, mara.userId, rows(enriched), { name: 'Enriched', ...done });
  lists.plain = await buildListOf(journey.db, mara.userId, rows(lead), { name: 'Plain' });
  lists.ottos = await buildListOf(journey.db, otto.userId, rows(enriched), { name: 'Enriched', ...done });
});

const headings = async (page: Page) => {
  await see(page.getByRole('row').nth(5));
  return (await page.getByRole('columnheader').allInnerTexts()).map((text) => text.trim()).filter(Boolean);
};

/** The headings that lie in their table's box as a whole, without any scrolling. */
async function inView(page: Page): Promise<string[]> {
  const box = await page.getByRole('region', { name: 'Leads' }).boundingBox();
  const seen: string[] = [];
  for (const head of await page.getByRole('columnheader').all()) {
    const { x, width } = (await head.boundingBox()) ?? { x: 0, width: 0 };
    if (x + width <= (box?.x ?? 0) + (box?.width ?? 0) + 1) seen.push((await head.innerText()).trim());
  }
  return seen.filter(Boolean);
}

test('at 1280 px the columns that decide about a lead are there without scrolling sideways', async () => {
  const { page } = await journey.visit({ session: mara, viewport: LAPTOP });
  await page.goto(`/lists/${lists.enriched}`);
  await headings(page);
  expect(await inView(page)).toEqual(expect.arrayContaining(DECIDING));
});

test('columns are hidden, moved and reset by keyboard, and remembered for this person alone', async () => {
  const { page } = await journey.visit({ session: mara, viewport: LAPTOP });
  await page.goto(`/lists/${lists.enriched}`);
  // What leads hold decides about columns, and is counted meanwhile.
  await see(page.getByRole('columnheader', { name: 'Title' }));
  const first = await headings(page);
  await page.getByRole('button', { name: 'Columns' }).focus();
  await page.keyboard.press('Enter');
  const menu = page.getByRole('dialog', { name: 'Columns' });
  await see(menu);
  await checkAccessibility(page);
  await menu.getByRole('checkbox', { name: 'Address' }).focus();
  await page.keyboard.press('Space');
  const up = menu.getByRole('button', { name: 'Move Title up' });
  await up.focus();
  await page.keyboard.press('Enter');
  await focused(up);
  const down = menu.getByRole('button', { name: 'Move Phone down' });
  await down.focus();
  await page.keyboard.press('Enter');
  await focused(down);
  await see(menu.getByText('Phone is now column 3 of 12.'));
  await page.keyboard.press('Escape');
  await gone(menu);
  await focused(page.getByRole('button', { name: 'Columns' }));
  const chosen = ['Business Name', 'Email', 'Phone', 'Confidence', 'Owner Name', 'Status', 'Call', 'Title'];
  const firstEight = async () => (await headings(page)).slice(0, 8);
  await expect.poll(firstEight).toEqual(chosen);
  await page.reload();
  await expect.poll(firstEight).toEqual(chosen);
  expect(await headings(page)).not.toContain('Address');

  // A list without these tiers keeps what it has of them.
  await page.goto(`/lists/${lists.plain}`);
  await expect.poll(() => headings(page)).toEqual(['Business Name', 'Phone', 'Website']);

  // Sorting still works where the column now stands; sorting by a hidden one is over.
  await page.goto(`/lists/${lists.enriched}?sort=phone.desc`);
  await headings(page);
  await expect
    .poll(() => page.getByRole('columnheader', { name: 'Phone', exact: true }).getAttribute('aria-sort'))
    .toBe('descending');
  await page.getByRole('button', { name: 'Columns' }).click();
  await menu.getByRole('checkbox', { name: 'Phone', exact: true }).click();
  await gone(page.getByRole('columnheader', { name: 'Phone', exact: true }));
  await menu.getByRole('button', { name: 'Reset columns' }).click();
  await expect.poll(() => headings(page)).toEqual(first);

  await menu.getByRole('checkbox', { name: 'Website' }).click();
  await expect.poll(() => headings(page)).not.toContain('Website');
  const stored = await page.evaluate<string>('JSON.stringify({ ...localStorage })');
  const other = await journey.visit({ session: otto, viewport: LAPTOP });
  await other.page.goto('/account');
  await other.page.evaluate(
    `for (const [key, value] of Object.entries(${stored})) if (key.startsWith('lead-columns')) localStorage.setItem(key, value)`,
  );
  await other.page.goto(`/lists/${lists.ottos}`);
  expect(await headings(other.page)).toEqual(first);
});

test('a phone has the menu too, inside its window', async () => {
  const { page } = await journey.visit({ session: otto, viewport: PHONE });
  await page.goto(`/lists/${lists.ottos}`);
  await headings(page);
  await page.getByRole('button', { name: 'Columns' }).click();
  const menu = page.getByRole('dialog', { name: 'Columns' });
  await see(menu);
  const box = await menu.boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(PHONE.width);
  await checkAccessibility(page);
});
