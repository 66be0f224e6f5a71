import { beforeAll, expect, test } from 'vitest';
import { buildListOf } from '#test/lists.ts';
import { checkAccessibility, setUpJourney } from './harness/journey.ts';
import { settle, sideScroll } from './harness/looks.ts';
import type { Session } from './harness/site.ts';
import { card, focused, gone, read, see } from './harness/steps.ts';
import { DESKTOP, PHONE, SMALL_PHONE } from './harness/visitor.ts';

const journey = setUpJourney();
const LIST = 'A list with a name that is long enough to need more than a single line, wherever it is shown';
/** What is to be seen on a page once it has all that it shows. */
const CONTENT = {
  '/': 'Showing 1-2 of 2 lists',
  '/?view=archived': 'Showing 1-1 of 1 lists',
  '/?q=nothing': 'No lists match',
  '/settings': 'Checks phone numbers against do-not-call and litigator lists',
  '/account': 'Google Places',
  '/usage': 'Usage analytics interface coming soon...',
  '/nowhere': 'Return to home',
} as const;
let session: Session;
let listId: string;

beforeAll(async () => {
  session = await journey.person('lena-with-a-rather-long-address-that-has-to-fit-somewhere');
  await journey.site.connect(session, 'google_places', 'sandbox');
  const leads = Array.from({ length: 60 }, (_, index) => ({
    business_name:
      index === 0 ? 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk'.repeat(2) : `Business ${index}`,
    phone: `+1 217-555-01${String(index).padStart(2, '0')}`,
    address: `${index} Long Street, Springfield, IL 62701, USA`,
    website: `https://business-${index}.example`,
    email: `someone.with.a.long.name@business-${index}.example`,
    email_confidence: 95 - index,
    owner_name: 'Olive Invented',
    owner_title: 'Owner and managing director',
    phone_type: 'mobile',
    compliance_status: index % 3 === 0 ? 'dnc' : 'safe',
  }));
  const done = { tier2_complete: true, compliance_checked: true, completeness: 65, resolved_place: 'Springfield, IL' };
  listId = await buildListOf(journey.db, session.userId, leads, { name: LIST, ...done });
  await buildListOf(journey.db, session.userId, [], { name: 'x'.repeat(250), status: 'failed' });
  const archived = { lifecycle_status: 'archived', archived_at: new Date() };
  await buildListOf(journey.db, session.userId, leads, { name: 'Old', ...archived });
});

test.each([DESKTOP, PHONE, SMALL_PHONE])('no page scrolls sideways at $width px', async (viewport) => {
  const { page } = await journey.visit({ session, viewport });
  const wide: string[] = [];
  const look = async (what: string) => {
    await settle(page);
    if ((await sideScroll(page)) > 0) wide.push(what);
  };
  const heading = page.getByRole('heading', { level: 1 });
  for (const path of Object.keys(CONTENT) as (keyof typeof CONTENT)[]) {
    await page.goto(path);
    await see(heading);
    await see(page.getByText(CONTENT[path]));
    await look(path);
  }
  await page.goto(`/lists/${listId}`);
  await see(page.getByRole('row').nth(25));
  await look('list');
  await checkAccessibility(page);
  await page.getByRole('table').getByRole('checkbox').nth(1).click();
  await read(page, '1 selected');
  await look('selection');
  for (const [name, dialog] of [
    ['Export', 'Export leads'],
    ['Export Selected', 'Export selected leads'],
  ] as const) {
    await page.getByRole('button', { name, exact: true }).click();
    await see(page.getByRole('dialog', { name: dialog }));
    await look(dialog);
    await page.keyboard.press('Escape');
    await gone(page.getByRole('dialog', { name: dialog }));
  }
  await page.goto('/search');
  await see(page.getByRole('dialog', { name: 'New Search' }));
  await look('New Search');
  const stranger = await journey.visit({ viewport });
  await stranger.page.goto('/login');
  await see(stranger.page.getByLabel('Email'));
  if ((await sideScroll(stranger.page)) > 0) wide.push('login');
  expect(wide).toEqual([]);
});

test('on a phone the sidebar is a drawer that goes when it has led somewhere', async () => {
  const { page } = await journey.visit({ session, viewport: PHONE });
  await page.goto('/');
  await page.getByRole('button', { name: 'Toggle sidebar' }).click();
  const drawer = page.getByRole('dialog', { name: 'Navigation' });
  await see(drawer);
  await settle(page);
  expect((await drawer.boundingBox())?.width).toBeCloseTo(288, 1);
  await checkAccessibility(page);
  await page.keyboard.press('Escape');
  await gone(drawer);
  await focused(page.getByRole('button', { name: 'Toggle sidebar' }));
  await page.keyboard.press('Enter');
  await drawer.getByRole('list', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click();
  await gone(drawer);
  await see(page.getByRole('heading', { name: 'Settings', level: 1 }));
});

test('the sidebar goes from 256 to 48 px by Ctrl+B, and is remembered', async () => {
  const { page } = await journey.visit({ session });
  await page.goto('/account');
  const sidebar = page.getByRole('complementary', { name: 'Navigation' });
  const width = async () => {
    await settle(page);
    return (await sidebar.boundingBox())?.width;
  };
  await see(sidebar);
  expect(await width()).toBe(256);
  await page.keyboard.press('Control+b');
  await expect.poll(width).toBe(48);
  await checkAccessibility(page);
  await page.reload();
  await see(sidebar);
  expect(await width()).toBe(48);
  const cookie = (await page.context().cookies()).find(({ name }) => name === 'sidebar_state');
  const days = ((cookie?.expires ?? 0) - Date.now() / 1000) / 86_400;
  expect(days).toBeGreaterThan(6.9);
  expect(days).toBeLessThan(7.1);
  await page.keyboard.press('Control+b');
  await expect.poll(width).toBe(256);
});

test('a search can be typed without a mouse; Escape closes, and the focus is back where it was', async () => {
  const { page } = await journey.visit({ session });
  await page.goto('/');
  const opener = page.getByRole('button', { name: 'New Search' }).first();
  await opener.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'New Search' });
  await see(dialog);
  await focused(dialog.getByLabel('Business type'));
  await page.keyboard.type('plumber');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Austin, TX');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await focused(page.getByRole('option', { name: '25 miles' }));
  await page.keyboard.press('ArrowUp');
  await focused(page.getByRole('option', { name: '10 miles' }));
  await page.keyboard.press('Enter');
  await expect.poll(() => dialog.getByLabel('Search radius').innerText()).toBe('10 miles');
  await page.keyboard.press('Escape');
  await gone(dialog);
  await focused(opener);
});

test('a menu is opened, walked and left by keyboard', async () => {
  const { page } = await journey.visit({ session });
  await page.goto('/');
  const opener = card(page, LIST).getByRole('button', { name: /^More actions/ });
  await opener.focus();
  await page.keyboard.press('Enter');
  await see(page.getByRole('menuitem', { name: 'Rename' }));
  await checkAccessibility(page);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Escape');
  await gone(page.getByRole('menu'));
  await focused(opener);
  await page.keyboard.press('Enter');
  await focused(page.getByRole('menuitem', { name: 'Rename' }));
  await page.keyboard.press('Enter');
  const rename = page.getByRole('dialog', { name: 'Rename list' });
  await see(rename);
  await page.keyboard.press('Escape');
  await gone(rename);
  await focused(opener);
  await page.keyboard.press('Enter');
  await focused(page.getByRole('menuitem', { name: 'Rename' }));
  await page.keyboard.press('End');
  await focused(page.getByRole('menuitem', { name: 'Delete' }));
  await page.keyboard.press('Enter');
  const confirm = page.getByRole('alertdialog', { name: 'Delete list' });
  await focused(confirm.getByRole('button', { name: 'Cancel' }));
  await page.keyboard.press('Escape');
  await gone(confirm);
  await focused(opener);
});

test('the first Tab leads to the content', async () => {
  const { page } = await journey.visit({ session });
  await page.goto('/settings');
  await see(page.getByRole('heading', { name: 'Settings', level: 1 }));
  await page.keyboard.press('Tab');
  await see(page.getByRole('link', { name: 'Skip to content' }));
  await page.keyboard.press('Enter');
  await focused(page.getByRole('main'));
});

test('addresses that lead nowhere say so', async () => {
  const visitor = await journey.visit({ session });
  const { page } = visitor;
  // The page asks for what belongs to a list before it knows that there is none.
  visitor.expectFailure(/^404 (POST \/api\/lists\/[^/]+\/leads\/counts|GET \/api\/(runs|lists\/[^/]+\/page))$/);
  await page.goto('/no/such/page');
  await see(page.getByRole('heading', { name: 'Oops! Page not found' }));
  await checkAccessibility(page);
  await page.getByRole('link', { name: /home/i }).click();
  await see(page.getByRole('heading', { name: 'Dashboard', level: 1 }));
  await page.goto(`/lists/${crypto.randomUUID()}`);
  await see(page.getByRole('heading', { name: 'List not found' }));
  await checkAccessibility(page);
  await page.getByRole('link', { name: 'Back to Dashboard' }).click();
  await see(page.getByRole('heading', { name: 'Dashboard', level: 1 }));
  await page.goto('/usage');
  await read(page, 'Usage analytics interface coming soon...');
});
