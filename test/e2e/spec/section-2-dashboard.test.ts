import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { checkAccessibility, setUpJourney } from '#test/e2e/harness/journey.ts';
import type { Session } from '#test/e2e/harness/site.ts';
import { card, chooseFromMenu, gone, optionsOf, read, see, toast } from '#test/e2e/harness/steps.ts';
import { DESKTOP, PHONE } from '#test/e2e/harness/visitor.ts';
import { buildListOf } from '#test/lists.ts';

const journey = setUpJourney();
const DAY_MS = 86_400_000;
const TABLET = { width: 820, height: 1180 };
let few: Session;
let many: Session;

beforeAll(async () => {
  few = await journey.person('fay');
  many = await journey.person('manuel');
  const build = (name: string, day: number, leads: number, rest = {}) =>
    buildListOf(
      journey.db,
      few.userId,
      Array.from({ length: leads }, () => ({})),
      { name, created_at: new Date(Date.now() - day * DAY_MS), ...rest },
    );
  await build('delta', 4, 2);
  await build('alpha', 3, 3, { tier2_complete: true });
  await build('charlie', 2, 1, { compliance_checked: true });
  await build('bravo', 1, 4, { has_contacts: true, tier3_complete: true });
  await build('echo', 0, 1, { lifecycle_status: 'archived', archived_at: new Date() });
  await journey.db
    .insertInto('lists')
    .values(
      Array.from({ length: 181 }, (_, index) => ({
        user_id: many.userId,
        name: `list ${index}`,
        status: 'completed',
        created_at: new Date(Date.now() - index * 60_000),
      })),
    )
    .execute();
});

const names = (page: Page) => page.getByRole('article').getByRole('heading', { level: 3 }).allInnerTexts();
const select = (page: Page, label: string) => page.getByRole('combobox', { name: label });

test('My Lists: headings, sorts, filters and the toggle', async () => {
  const { page } = await journey.visit({ session: few });
  await page.goto('/');
  await see(page.getByRole('heading', { name: 'My Lists', level: 2 }));
  await read(page, 'Your saved lead generation searches');
  await expect.poll(() => page.getByRole('button', { name: 'New Search' }).count()).toBe(2);
  expect(await optionsOf(page, select(page, 'Sort'))).toEqual(['Recent', 'Oldest', 'Most leads', 'Name A-Z']);
  expect(await optionsOf(page, select(page, 'Filter'))).toEqual([
    ...['All', 'Tier 1 only', 'Has emails', 'Has contacts', 'Compliance checked', 'Active', 'Archived'],
  ]);
  const sorted: Record<string, string[]> = {};
  for (const sort of ['Oldest', 'Most leads', 'Name A-Z', 'Recent']) {
    await select(page, 'Sort').click();
    await page.getByRole('option', { name: sort, exact: true }).click();
    await read(select(page, 'Sort'), sort);
    sorted[sort] = await names(page);
  }
  expect(sorted).toEqual({
    Oldest: ['delta', 'alpha', 'charlie', 'bravo'],
    'Most leads': ['bravo', 'alpha', 'delta', 'charlie'],
    'Name A-Z': ['alpha', 'bravo', 'charlie', 'delta'],
    Recent: ['bravo', 'charlie', 'alpha', 'delta'],
  });
  const filtered: Record<string, string[]> = {};
  for (const filter of ['Tier 1 only', 'Has emails', 'Has contacts', 'Compliance checked', 'Active', 'Archived']) {
    await select(page, 'Filter').click();
    await page.getByRole('option', { name: filter, exact: true }).click();
    await read(select(page, 'Filter'), filter);
    filtered[filter] = await names(page);
  }
  expect(filtered).toEqual({
    'Tier 1 only': ['charlie', 'delta'],
    'Has emails': ['alpha'],
    'Has contacts': ['bravo', 'alpha'],
    'Compliance checked': ['charlie'],
    Active: ['bravo', 'charlie', 'alpha', 'delta'],
    Archived: ['echo'],
  });
  await page.getByRole('radio', { name: /^Active/ }).click();
  await see(card(page, 'bravo'));
  await page.getByRole('radio', { name: /^Archived/ }).click();
  await see(card(page, 'echo'));
  await gone(card(page, 'bravo'));
});

test('cards stand in one, two or three columns', async () => {
  const { page } = await journey.visit({ session: few });
  const columns: number[] = [];
  for (const viewport of [PHONE, TABLET, DESKTOP]) {
    await page.setViewportSize(viewport);
    await page.goto('/');
    await see(card(page, 'alpha'));
    const lefts = await page
      .getByRole('article')
      .evaluateAll((cards) => cards.map((one) => one.getBoundingClientRect().x));
    columns.push(new Set(lefts.map(Math.round)).size);
  }
  expect(columns).toEqual([1, 2, 3]);
});

test('pages of 30, five links around the current one, and what is shown of how many', async () => {
  const { page } = await journey.visit({ session: many });
  const pages = page.getByRole('navigation', { name: 'Pages' });
  const links = async () => {
    const labels = await pages.getByRole('button', { name: /^Page / }).allInnerTexts();
    return labels.map(Number);
  };
  await page.goto('/');
  await read(page, 'Showing 1-30 of 181 lists');
  await expect.poll(() => page.getByRole('article').count()).toBe(30);
  expect(await links()).toEqual([1, 2, 3, 4, 5]);
  await expect.poll(() => pages.getByRole('button', { name: 'Previous' }).isDisabled()).toBe(true);
  await pages.getByRole('button', { name: 'Next' }).click();
  await read(page, 'Showing 31-60 of 181 lists');
  await pages.getByRole('button', { name: 'Page 4', exact: true }).click();
  await read(page, 'Showing 91-120 of 181 lists');
  expect(await links()).toEqual([2, 3, 4, 5, 6]);
  await checkAccessibility(page);
  await page.goto('/?page=7');
  await read(page, 'Showing 181-181 of 181 lists');
  expect(await links()).toEqual([3, 4, 5, 6, 7]);
  await expect.poll(() => pages.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
});

test('a card leads to its list, and its menu holds Rename, Archive List and Delete', async () => {
  const { page } = await journey.visit({ session: few });
  await page.goto('/');
  await page.getByRole('button', { name: 'More actions for delta', exact: true }).click();
  await see(page.getByRole('menuitem'));
  const items = await page.getByRole('menuitem').allInnerTexts();
  expect(items).toEqual(expect.arrayContaining(['Rename', 'Archive List', 'Delete']));
  await page.keyboard.press('Escape');
  await chooseFromMenu(page, 'delta', 'Archive List');
  await read(toast(page, 'List archived'), 'Will be permanently deleted in 30 days.');
  await gone(card(page, 'delta'));
  await card(page, 'alpha').getByRole('link', { name: 'View' }).click();
  await page.waitForURL(/\/lists\/[\da-f-]{36}$/);
  await see(page.getByRole('heading', { name: 'alpha', level: 1 }));
});
