import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { setUpJourney } from '#test/e2e/harness/journey.ts';
import type { Session } from '#test/e2e/harness/site.ts';
import { card, gone, see } from '#test/e2e/harness/steps.ts';
import { buildListOf } from '#test/lists.ts';

const journey = setUpJourney();
const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
const aged = (days: number) => ({ created_at: daysAgo(days), retention_from: daysAgo(days) });
const archived = (days: number) => ({ lifecycle_status: 'archived', archived_at: daysAgo(days) });
const ENRICH = '+ Add Emails & Contacts';
const CHECK = 'Check Compliance';

/** What a list in some state shows: its badges, and what can be done with it. */
const CARDS = {
  plain: { row: {}, badges: ['Basic'], actions: ['View', ENRICH, CHECK, 'Export'] },
  working: {
    row: { status: 'processing' },
    badges: ['Data Processing', 'Basic'],
    actions: ['View', 'Data Processing', 'Export'],
  },
  failed: { row: { status: 'failed' }, badges: ['Enrichment Failed', 'Basic'], actions: ['View', 'Retry', 'Export'] },
  emailed: { row: { has_emails: true }, badges: ['Basic', 'Emails'], actions: ['View', ENRICH, CHECK, 'Export'] },
  owned: { row: { has_contacts: true }, badges: ['Basic', 'Contacts'], actions: ['View', ENRICH, CHECK, 'Export'] },
  enriched: {
    row: { tier2_complete: true, completeness: 65 },
    badges: ['Basic', 'Emails', 'Contacts'],
    actions: ['View', CHECK, 'Export'],
  },
  third: { row: { tier3_complete: true }, badges: ['Basic', 'Contacts'], actions: ['View', ENRICH, CHECK, 'Export'] },
  checked: { row: { compliance_checked: true }, badges: ['Basic', 'Compliance'], actions: ['View', ENRICH, 'Export'] },
  finished: {
    row: { tier2_complete: true, compliance_checked: true, ...aged(24) },
    badges: ['Basic', 'Emails', 'Contacts', 'Compliance'],
    actions: ['View', 'Export'],
  },
  ageing: { row: aged(25), badges: ['Basic', 'Archives in 5 days'], actions: ['View', ENRICH, CHECK, 'Export'] },
  old: { row: aged(29), badges: ['Basic', 'Archives in 1 day'], actions: ['View', ENRICH, CHECK, 'Export'] },
  stored: { row: archived(0), badges: ['Basic', 'Deletes in 30 days'], actions: ['View', 'Export'] },
  fading: { row: archived(29), badges: ['Basic', 'Deletes in 1 day'], actions: ['View', 'Export'] },
} as const;
type Name = keyof typeof CARDS;
const NAMES = Object.keys(CARDS) as Name[];
let session: Session;
const ids = new Map<string, string>();

beforeAll(async () => {
  session = await journey.person('stella');
  for (const name of NAMES)
    ids.set(
      name,
      await buildListOf(journey.db, session.userId, [{}, {}], { name, sandbox: false, ...CARDS[name].row }),
    );
});

async function shownOn(page: Page, name: Name) {
  const one = card(page, name);
  await see(one);
  const footer = one.locator('footer');
  const actions = await footer.getByRole('link').or(footer.getByRole('button')).allInnerTexts();
  return {
    badges: await one.getByRole('list', { name: 'Status' }).getByRole('listitem').allInnerTexts(),
    actions: actions.map((text) => text.replace(name, '').trim()).sort(),
  };
}

const expected = (name: Name) => ({ badges: [...CARDS[name].badges], actions: [...CARDS[name].actions].sort() });

test('cards show the badges and actions of their state', async () => {
  const { page } = await journey.visit({ session });
  const shown: Partial<Record<Name, unknown>> = {};
  for (const [view, isArchived] of [
    ['/', false],
    ['/?view=archived', true],
  ] as const) {
    await page.goto(view);
    await see(page.getByRole('article'));
    const here = NAMES.filter((name) => 'lifecycle_status' in CARDS[name].row === isArchived);
    for (const name of here) shown[name] = await shownOn(page, name);
  }
  await page.goto('/');
  await expect
    .poll(() => card(page, 'working').getByRole('button', { name: 'Data Processing' }).isDisabled())
    .toBe(true);
  expect(shown).toEqual(Object.fromEntries(NAMES.map((name) => [name, expected(name)])));
});

test('the list page has badges of its own', async () => {
  const { page } = await journey.visit({ session });
  const shown: Record<string, string[]> = {};
  for (const name of ['working', 'failed', 'enriched', 'third', 'checked'] as const) {
    await page.goto(`/lists/${ids.get(name)}`);
    const badges = page.getByRole('main').locator('header').getByRole('list', { name: 'Status' });
    await see(badges);
    shown[name] = await badges.getByRole('listitem').allInnerTexts();
  }
  expect(shown).toEqual({
    working: ['Data Processing'],
    failed: ['Enrichment Failed'],
    enriched: ['Emails (Tier 2)', 'Contacts (Tier 2)'],
    third: ['Contacts (Tier 3)'],
    checked: ['Compliance'],
  });
});

test('confidence and compliance have their colors', async () => {
  const id = await buildListOf(
    journey.db,
    session.userId,
    [
      { email: 'a@a.example', email_confidence: 90, compliance_status: 'safe' },
      { email: 'b@b.example', email_confidence: 89, compliance_status: 'dnc' },
      { email: 'c@c.example', email_confidence: 70, compliance_status: 'litigator' },
      { email: 'd@d.example', email_confidence: 69, compliance_status: 'not_checked' },
    ],
    { name: 'colored', tier2_complete: true, compliance_checked: true },
  );
  const { page } = await journey.visit({ session });
  await page.goto(`/lists/${id}`);
  await see(page.getByRole('row').nth(4));
  await gone(page.locator('tbody [data-skeleton]'));
  const badges = await page
    .locator('tbody td > span[class*="-soft"]')
    .evaluateAll((found) =>
      found.map((badge) => [badge.textContent, /text-(success|warning|danger)/.exec(badge.className)?.[1]]),
    );
  expect(Object.fromEntries(badges)).toEqual({
    '90%': 'success',
    Unknown: 'warning',
    Clean: 'success',
    '89%': 'warning',
    'Do not call': 'danger',
    '70%': 'warning',
    Litigator: 'danger',
    '69%': 'danger',
    'Not checked': 'warning',
  });
  await expect.poll(() => page.getByRole('cell', { name: 'Clean', exact: true }).locator('svg').count()).toBe(1);
});
