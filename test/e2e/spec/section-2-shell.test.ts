import { beforeAll, expect, test } from 'vitest';
import { setUpJourney } from '#test/e2e/harness/journey.ts';
import type { Session } from '#test/e2e/harness/site.ts';
import { arriveAt, gone, read, see } from '#test/e2e/harness/steps.ts';

const SUPPORT = 'https://support.people.example/help';
const journey = setUpJourney({ env: { SUPPORT_URL: SUPPORT } });
let session: Session;
beforeAll(async () => {
  session = await journey.person('sheila');
});

test('each route has its page, with a title and a description', async () => {
  const { page } = await journey.visit({ session });
  const seen: Record<string, unknown> = {};
  for (const path of ['/', '/settings', '/usage', '/account']) {
    await page.goto(path);
    const title = page.getByRole('heading', { level: 1 });
    await see(title);
    const header = page.locator('main header').first();
    expect((await header.innerText()).split('\n').length, path).toBeGreaterThan(1);
    seen[path] = [await title.innerText(), await page.title()];
  }
  expect(seen).toEqual({
    '/': ['Dashboard', 'Dashboard · Fairlead'],
    '/settings': ['Settings', 'Settings · Fairlead'],
    '/usage': ['Usage Analytics', 'Usage Analytics · Fairlead'],
    '/account': ['Account Settings', 'Account Settings · Fairlead'],
  });
  await page.goto('/');
  await read(page.getByRole('main'), /overview of your lead generation performance/);
  await page.goto('/search');
  await see(page.getByRole('dialog', { name: 'New Search' }));
  await arriveAt(page, '/');
  await page.reload();
  await see(page.getByRole('heading', { name: 'Dashboard' }));
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test('the sidebar has its groups and links; Support opens in a new tab', async () => {
  const { page } = await journey.visit({ session });
  await page.goto('/usage');
  const nav = page.getByRole('navigation', { name: 'Main' });
  await see(nav);
  const words = (await nav.innerText()).split('\n').map((line) => line.trim());
  expect(words.filter(Boolean)).toEqual([
    ...['Main', 'Dashboard', 'New Search', 'Import', 'Settings', 'Usage', 'Suppression List'],
    ...['Resources', 'Support'],
    ...['Account', 'Account', 'Logout'],
  ]);
  const support = nav.getByRole('link', { name: 'Support' });
  await expect.poll(() => support.getAttribute('href')).toBe(SUPPORT);
  await expect.poll(() => support.getAttribute('target')).toBe('_blank');
  await nav.getByRole('link', { name: 'New Search' }).click();
  await see(page.getByRole('dialog', { name: 'New Search' }));
  await arriveAt(page, '/');
});

test('the top bar has logo, theme toggle, Settings and the avatar menu', async () => {
  const { page } = await journey.visit({ session });
  await page.goto('/usage');
  const bar = page.getByRole('banner').first();
  await bar.getByRole('link', { name: 'Settings' }).click();
  await arriveAt(page, '/settings');
  await bar.getByRole('button', { name: 'Account menu' }).click();
  await read(page.getByRole('menu'), session.email);
  await page.getByRole('menuitem', { name: 'Account' }).click();
  await arriveAt(page, '/account');
  await bar.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  await arriveAt(page, '/settings');
  await bar.getByRole('link', { name: /Fairlead/ }).click();
  await arriveAt(page, '/');
});

test('the theme is dark until another is chosen, is kept under its key, and can follow the system', async () => {
  const { page } = await journey.visit({ session, colorScheme: 'light' });
  const dark = page.locator('html.dark');
  const stored = () => page.evaluate<string | null>("localStorage.getItem('theme')");
  await page.goto('/usage');
  await dark.waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Switch to light theme' }).click();
  await dark.waitFor({ state: 'detached' });
  expect(await stored()).toBe('light');
  await page.reload();
  await see(page.getByRole('heading', { level: 1 }));
  expect(await dark.count()).toBe(0);
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitemradio', { name: 'System' }).click();
  expect(await stored()).toBe('system');
  await page.emulateMedia({ colorScheme: 'dark' });
  await dark.waitFor({ state: 'attached' });
  await page.emulateMedia({ colorScheme: 'light' });
  await dark.waitFor({ state: 'detached' });
});

test('a theme that was chosen is there before the app is, so that nothing flashes', async () => {
  const visitor = await journey.visit({ session, theme: 'light' });
  const { page } = visitor;
  visitor.expectFailure(/^net::ERR_FAILED GET \/assets\//);
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.goto('/usage');
  expect(await page.locator('html.dark').count()).toBe(0);
  await page.evaluate("localStorage.removeItem('theme')");
  await page.reload();
  await expect.poll(() => page.locator('html.dark').count()).toBe(1);
});

test('Logout is a full redirect to /account', async () => {
  const leaving = await journey.person('leonard');
  const { page } = await journey.visit({ session: leaving });
  await page.goto('/usage');
  const loaded: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loaded.push(new URL(request.url()).pathname);
  });
  await page.getByRole('button', { name: 'Logout' }).click();
  await see(page.getByRole('heading', { name: 'Sign in to Fairlead' }));
  expect(loaded).toEqual(['/account']);
  await gone(page.getByRole('navigation', { name: 'Main' }));
});
