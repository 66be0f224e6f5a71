import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Hosted, startHosted } from '#test/hosted/start-hosted.ts';
import { sharedChromium } from './harness/launch-chromium.ts';
import { arriveAt, card, download, fillSearch, gone, read, see, toast, typeKey } from './harness/steps.ts';
import { openVisitor, type Visitor } from './harness/visitor.ts';

const ADMIN = 'admin@people.example';
const LIST = 'bakery in Salem, MA';

let hosted: Hosted;
let visitor: Visitor;
beforeAll(async () => {
  const [started, browser] = await Promise.all([startHosted({ adminEmails: ADMIN }), sharedChromium()]);
  hosted = started;
  visitor = await openVisitor(browser, { url: hosted.site });
});
afterAll(async () => {
  await visitor?.leave();
  await hosted?.stop();
});

/** What a page is let into, and told of, by Supabase. */
function hear(page: Page): { joins: number; broadcasts: number } {
  const heard = { joins: 0, broadcasts: 0 };
  page.on('websocket', (socket) => {
    if (!socket.url().startsWith(hosted.backend.replace('http', 'ws'))) return;
    socket.on('framereceived', ({ payload }) => {
      const frame = String(payload);
      if (/lists:.*"phx_reply".*"ok"/.test(frame)) heard.joins += 1;
      else if (/lists:.*broadcast/.test(frame)) heard.broadcasts += 1;
    });
  });
  return heard;
}

test('beside hosted Supabase: link, search, live updates, an export fetched again, and out', async () => {
  const { page } = visitor;
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  await page.goto('/login');
  await page.getByLabel('Email').fill(ADMIN);
  await button('Send magic link').click();
  await read(page, 'Check your email for a magic link to sign in.');
  await page.goto((await hosted.linkTo(ADMIN)).href);
  // The code in the address is spent by then.
  await see(page.getByRole('heading', { name: 'Dashboard' }));
  await arriveAt(page, '/');

  await page.goto('/settings');
  await gone(await typeKey(page, 'Google Places', 'sandbox'));
  // Who comes for the first time has their profile with their first request to the product. Until then their data is refused here, where
  // Supabase would show no rows.
  const atFirst = visitor.problems().filter((problem) => !/ 403 .*\/rest\/v1\/lists\?/.test(problem));
  expect(atFirst).toEqual([]);
  await page.goto('/');
  const other = await visitor.newTab();
  const heard = hear(other);
  await other.goto('/');
  await expect.poll(() => heard.joins).toBe(1);
  await page.getByRole('link', { name: 'New Search' }).click();
  await fillSearch(page, { what: 'bakery', where: 'Salem, MA', max: '20' });
  await button('Start Search').click();
  await see(toast(page, 'Search complete'));
  await read(card(other, LIST), /\d+ leads/);
  expect(heard.broadcasts).toBeGreaterThan(0);

  await card(page, LIST).getByRole('link').first().click();
  const open = () => page.getByRole('button', { name: 'Export', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Export leads' });
  const press = (name: string | RegExp) => dialog.getByRole('button', { name }).click();
  await open();
  const file = await download(page, () => press('Download CSV'));
  expect(file.text.split('\r\n').length).toBeGreaterThan(2);
  await open();
  expect(await download(page, () => press(/^Download the export of .* again$/))).toEqual(file);
  await dialog.press('Escape');

  // It would be refused what it asks for in that moment.
  await other.close();
  await button('Logout').click();
  await see(page.getByRole('heading', { name: 'Sign in to Fairlead' }));
  expect(visitor.problems()).toEqual([]);
});
