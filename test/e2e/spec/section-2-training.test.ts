import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { TRAINING_STORAGE_KEY } from '#contract/admin/training.ts';
import { checkAccessibility, setUpJourney, tellAsOneStory } from '#test/e2e/harness/journey.ts';
import type { Session } from '#test/e2e/harness/site.ts';
import { choose, focused, gone, optionsOf, read, see, tabTo, toast } from '#test/e2e/harness/steps.ts';

// One story: the first video is added, changed, watched and deleted.
const journey = setUpJourney({ env: { ADMIN_EMAILS: 'ada@people.example' } });
const TITLE = 'Watch the tour';
let page: Page;
let admin: Session;
let user: Session;

beforeAll(async () => {
  admin = await journey.person('ada');
  user = await journey.person('uli');
  page = (await journey.visit({ session: admin, lasting: true })).page;
});
tellAsOneStory();

const add = () => page.getByRole('dialog', { name: 'Add Training Video' });

const locations = () => optionsOf(page, add().getByLabel('Page Location'));

test('without videos the editor says so', async () => {
  await page.goto('/admin/training');
  await see(page.getByRole('heading', { name: 'Training Editor', level: 1 }));
  await read(page, 'No training videos configured yet. Add your first one above.');
  await checkAccessibility(page);
});

test('all fields are required, and the address has to be one of YouTube or Vimeo', async () => {
  await page.getByRole('button', { name: 'Add Training Video' }).click();
  await add().getByRole('button', { name: 'Add Video' }).click();
  await read(toast(page, 'Validation Error'), 'Please fill in all required fields.');
  const embed = add().getByLabel('Embed Code');
  expect((await embed.boundingBox())?.height).toBeGreaterThanOrEqual(80);
  expect(await locations()).toEqual([
    ...['Dashboard', 'New Search', 'Settings', 'Usage Analytics', 'Account Settings', 'Training Editor'],
  ]);
  await choose(page, add().getByLabel('Page Location'), 'Usage Analytics');
  await add().getByLabel('Button Title').fill(TITLE);
  await embed.fill('https://youtube.com.evil.example/watch?v=aB3_-xyzQ09');
  await add().getByRole('button', { name: 'Add Video' }).click();
  await read(toast(page, 'Invalid URL'), 'Please enter a valid YouTube or Vimeo URL.');
  await checkAccessibility(page);
  await add().getByRole('button', { name: 'Cancel' }).click();
  await gone(add());
});

test('a video is added by keyboard', async () => {
  await page.getByRole('button', { name: 'Add Training Video' }).focus();
  await page.keyboard.press('Enter');
  await tabTo(add().getByLabel('Page Location'));
  await page.keyboard.press('Enter');
  await see(page.getByRole('option'));
  await page.keyboard.type('Usage');
  await focused(page.getByRole('option', { name: 'Usage Analytics' }));
  await page.keyboard.press('Enter');
  await tabTo(add().getByLabel('Button Title'));
  await page.keyboard.type(TITLE);
  await tabTo(add().getByLabel('Embed Code'));
  await page.keyboard.type('https://youtu.be/aB3_-xyzQ09');
  await tabTo(add().getByRole('button', { name: 'Add Video' }));
  await page.keyboard.press('Enter');
  await see(toast(page, 'Training video added successfully.'));
});

test('the table has Page, Title and Status; only pages without a video are offered', async () => {
  const table = page.getByRole('table');
  await expect
    .poll(() => table.getByRole('columnheader').allInnerTexts())
    .toEqual(expect.arrayContaining(['Page', 'Title', 'Status']));
  const row = table.getByRole('row', { name: /Usage Analytics/ });
  await expect.poll(() => row.getByRole('cell').allInnerTexts()).toEqual(expect.arrayContaining([TITLE, 'Active']));
  await page.getByRole('button', { name: 'Add Training Video' }).click();
  expect(await locations()).not.toContain('Usage Analytics');
  await add().getByRole('button', { name: 'Cancel' }).click();
  await gone(add());
});

test("the page's header has the button; the video comes with the dialog", async () => {
  const visitor = await journey.visit({ session: user });
  const foreign: string[] = [];
  visitor.page.on('request', (request) => {
    if (!request.url().startsWith(journey.site.url)) foreign.push(request.url());
  });
  await visitor.page.route('https://www.youtube-nocookie.com/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>A player</title>' }),
  );
  await visitor.page.goto('/usage');
  await visitor.page.getByRole('button', { name: TITLE }).click();
  const dialog = visitor.page.getByRole('dialog', { name: TITLE });
  await see(dialog);
  const frame = dialog.locator('iframe');
  await see(frame);
  await expect
    .poll(() => frame.getAttribute('src'))
    .toMatch(/^https:\/\/www\.youtube-nocookie\.com\/embed\/aB3_-xyzQ09\?/);
  await checkAccessibility(visitor.page);
  expect(foreign.map((url) => new URL(url).origin)).toEqual(['https://www.youtube-nocookie.com']);
  const stored = await visitor.page.evaluate<string>(`localStorage.getItem('${TRAINING_STORAGE_KEY}')`);
  expect(JSON.parse(stored)).toEqual({
    usage: { title: TITLE, embedCode: 'https://youtu.be/aB3_-xyzQ09', isActive: true },
  });
  await visitor.page.goto('/settings');
  await see(visitor.page.getByRole('heading', { name: 'Settings', level: 1 }));
  expect(await visitor.page.getByRole('button', { name: TITLE }).count()).toBe(0);
});

test('editing, by keyboard: the page is locked; an inactive video has no button', async () => {
  const edit = page.getByRole('button', { name: 'Edit video of Usage Analytics' });
  await edit.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Edit Training Video' });
  await see(dialog);
  await expect.poll(() => dialog.getByLabel('Page Location').isDisabled()).toBe(true);
  await tabTo(dialog.getByRole('switch', { name: 'Active' }));
  await page.keyboard.press('Space');
  await tabTo(dialog.getByRole('button', { name: 'Save' }));
  await page.keyboard.press('Enter');
  await see(toast(page, 'Training video updated successfully.'));
  await focused(edit);
  await read(page.getByRole('row', { name: /Usage Analytics/ }), 'Inactive');
  const { page: other } = await journey.visit({ session: user });
  const videos = other.waitForResponse(/\/api\/training/);
  await other.goto('/usage');
  await read(other, 'Usage analytics interface coming soon...');
  await (await videos).finished();
  expect(await other.getByRole('button', { name: TITLE }).count()).toBe(0);
});

test('deleting asks first, also by keyboard', async () => {
  await page.getByRole('button', { name: 'Delete video of Usage Analytics' }).focus();
  await page.keyboard.press('Enter');
  await tabTo(page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }));
  await page.keyboard.press('Enter');
  await see(toast(page, 'Training video deleted successfully.'));
  await read(page, 'No training videos configured yet. Add your first one above.');
});

test('who is no admin reaches the page and is refused by the server', async () => {
  const visitor = await journey.visit({ session: user });
  visitor.expectFailure(/^403 GET \/api\/admin\/training$/);
  await visitor.page.goto('/admin/training');
  await read(visitor.page, 'Administrators only');
  await checkAccessibility(visitor.page);
});
