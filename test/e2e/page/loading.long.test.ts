import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { setUpJourney } from '#test/e2e/harness/journey.ts';
import { chooseFromMenu, focused, gone, see } from '#test/e2e/harness/steps.ts';
import { buildListOf } from '#test/lists.ts';

const journey = setUpJourney();
const PARTS = {
  auth: /\/assets\/backend-library-.*\.js$/,
  client: /\/assets\/backend-library-.*\.js(\?again=\d+)?$/,
  popups: /\/assets\/popups-.*\.js$/,
};

/** Holds a file of the page back. Resolves with what lets it through. */
async function holdBack(page: Page, file: RegExp): Promise<() => void> {
  let letThrough = () => {};
  const held = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  await page.route(file, async (route) => {
    await held;
    await route.continue();
  });
  return letThrough;
}

test('the login form stands before the auth client has come; a press before that sends one link', async () => {
  const { page } = await journey.visit({ locale: 'en-US' });
  const letThrough = await holdBack(page, PARTS.auth);
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(new URL(request.url()).pathname);
  });
  await page.goto('/login');
  await page.getByLabel('Email').fill('early.bird@people.example');
  const send = page.getByRole('button', { name: 'Send magic link' });
  await send.click();
  await page.keyboard.press('Enter');
  await send.click({ force: true });
  await see(page.locator('button[aria-busy=true]'));
  expect(sent).toEqual(['/api/auth/precheck']);
  letThrough();
  await see(page.getByText('Check your email for a magic link to sign in.'));
  expect(sent).toEqual(['/api/auth/precheck', '/auth/v1/otp']);
  expect((await journey.site.mails()).filter(({ to }) => to === 'early.bird@people.example')).toHaveLength(1);
});

test('a menu that is pressed before it has come opens when it comes, and the focus stays', async () => {
  const session = await journey.person('mel.menu');
  await buildListOf(journey.db, session.userId, [], { name: 'Early list' });
  const { page } = await journey.visit({ session, locale: 'en-US' });
  const letThrough = await holdBack(page, PARTS.popups);
  await page.goto('/');
  const more = page.getByRole('button', { name: 'More actions for Early list' });
  await more.click();
  await gone(page.getByRole('menu'));
  letThrough();
  await see(page.getByRole('menuitem', { name: 'Rename' }));
  await page.keyboard.press('Escape');
  await gone(page.getByRole('menu'));

  const other = await journey.visit({ session, locale: 'en-US' });
  const letOther = await holdBack(other.page, PARTS.popups);
  await other.page.goto('/');
  const sort = other.page.getByRole('combobox', { name: 'Sort' });
  await sort.focus();
  await other.page.keyboard.press('Shift');
  letOther();
  await see(other.page.locator('[role=combobox][data-state=closed][aria-label=Sort]'));
  expect(await sort.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
  await other.page.keyboard.press('Enter');
  await see(other.page.getByRole('option', { name: 'Oldest' }));
});

test('what opens over the page is put in place with the first sign of someone, and a first Enter presses', async () => {
  const session = await journey.person('una.unmoved');
  await buildListOf(journey.db, session.userId, [], { name: 'Quiet list' });
  const { page } = await journey.visit({ session, locale: 'en-US' });
  const fetched = page.waitForResponse(PARTS.popups);
  await page.goto('/');
  const sort = page.getByRole('combobox', { name: 'Sort' });
  await sort.focus();
  await (await fetched).finished();
  // A message loop later the library would have taken over.
  await page.evaluate('new Promise((resolve) => setTimeout(resolve))');
  const inPlace = page.locator('[role=combobox][data-state][aria-label=Sort]');
  expect(await inPlace.count()).toBe(0);
  await page.keyboard.press('Enter');
  await see(page.getByRole('option', { name: 'Oldest' }));
  await page.keyboard.press('Escape');
  await focused(sort);

  const other = await journey.visit({ session, locale: 'en-US' });
  const fetchedThere = other.page.waitForResponse(PARTS.popups);
  await other.page.goto('/');
  await (await fetchedThere).finished();
  await other.page.mouse.move(700, 500);
  await see(other.page.locator('[role=combobox][data-state=closed][aria-label=Sort]'));
});

test('a button that was pressed before its tooltip came keeps the focus, and opens no tooltip', async () => {
  const session = await journey.person('tia.toggle');
  const { page } = await journey.visit({ session, locale: 'en-US' });
  const letThrough = await holdBack(page, PARTS.popups);
  await page.goto('/');
  const toggle = page.getByRole('button', { name: 'Toggle sidebar' });
  await toggle.click();
  await page.mouse.move(700, 500);
  letThrough();
  await see(page.locator('button[aria-label="Toggle sidebar"][data-state]'));
  await focused(toggle);
  expect(await page.getByRole('tooltip').count()).toBe(0);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  await see(page.getByRole('tooltip'));
});

test('English is drawn with one font file; other scripts with fonts of the system', async () => {
  const session = await journey.person('fay.font');
  await buildListOf(journey.db, session.userId, [], { name: 'Ольга Dentists' });
  const { page } = await journey.visit({ session, locale: 'en-US' });
  const fonts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'font') fonts.push(request.url());
  });
  await page.goto('/');
  await see(page.getByRole('heading', { name: 'Ольга Dentists' }));
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  expect(fonts).toEqual([expect.stringMatching(/\/assets\/inter-.{8}\.woff2$/)]);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('DOM.enable');
  await cdp.send('CSS.enable');
  const { root } = await cdp.send('DOM.getDocument');
  const fontsOf = async (selector: string) => {
    const { nodeId } = await cdp.send('DOM.querySelector', { nodeId: root.nodeId, selector });
    return (await cdp.send('CSS.getPlatformFontsForNode', { nodeId })).fonts;
  };
  expect((await fontsOf('h1')).map(({ familyName, isCustomFont }) => [familyName, isCustomFont])).toEqual([
    ['Inter', true],
  ]);
  const name = await fontsOf('h3 a');
  expect(name.some(({ isCustomFont }) => isCustomFont)).toBe(true);
  expect(name.find(({ isCustomFont }) => !isCustomFont)?.glyphCount).toBe(5);
});

test('a page that was open during an update reloads once, and shows where one wanted to go', async () => {
  const session = await journey.person('ned.newer');
  const visitor = await journey.visit({ session, locale: 'en-US' });
  const { page } = visitor;
  await page.goto('/');
  await see(page.getByRole('heading', { name: 'Dashboard' }));
  // Counted when asked for: the new page may want its script before it has loaded.
  let documents = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents += 1;
  });
  // The server has other files by now, of which the open page knows nothing.
  visitor.expectFailure(/^404 GET \/assets\/usage-/);
  visitor.expectFailure(/^console: .*MIME type/);
  await page.route(/\/assets\/usage-.*\.js$/, (route) =>
    documents === 0 ? route.fulfill({ status: 404, body: 'Not found' }) : route.continue(),
  );
  await page.evaluate("document.querySelector('script[type=module][src]').setAttribute('src', '/assets/older.js')");
  await page.evaluate("history.pushState(null, '', '/usage'); dispatchEvent(new PopStateEvent('popstate'))");
  await see(page.getByText('Usage analytics interface coming soon...'));
  expect(documents).toBe(1);
  expect(new URL(page.url()).pathname).toBe('/usage');
});

test('a file that is missing without an update reloads nothing', async () => {
  const session = await journey.person('noa.newer');
  const visitor = await journey.visit({ session, locale: 'en-US' });
  const { page } = visitor;
  await page.goto('/');
  await see(page.getByRole('heading', { name: 'Dashboard' }));
  let loads = 0;
  page.on('load', () => {
    loads += 1;
  });
  visitor.expectFailure(/ GET \/assets\/usage-/);
  await page.route(/\/assets\/usage-.*\.js$/, (route) => route.abort());
  await page.evaluate("history.pushState(null, '', '/usage'); dispatchEvent(new PopStateEvent('popstate'))");
  await see(page.getByText('This page could not be loaded.'));
  await page.waitForTimeout(500);
  expect(loads).toBe(0);
  // The frame is still there to go elsewhere.
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
  await see(page.getByRole('heading', { name: 'Dashboard' }));
});

test('a page that could not be loaded for want of a network comes by itself once there is one', async () => {
  const session = await journey.person('ona.offline');
  const visitor = await journey.visit({ session, locale: 'en-US' });
  const { page, context } = visitor;
  await page.goto('/');
  await see(page.getByRole('heading', { name: 'Dashboard' }));
  visitor.expectFailure(/ERR_INTERNET_DISCONNECTED/);
  // The first page may still be fetching what only adds to it.
  visitor.expectFailure(/console: TypeError: Failed to fetch dynamically imported module/);
  await context.setOffline(true);
  await page.evaluate("history.pushState(null, '', '/suppressions'); dispatchEvent(new PopStateEvent('popstate'))");
  await see(page.getByText('This page could not be loaded.'));
  await context.setOffline(false);
  await see(page.getByRole('heading', { level: 1, name: 'Suppression List' }));
});

test('a client that does not come at first takes no page away, and works once it has come', async () => {
  const session = await journey.person('cleo.client');
  await buildListOf(journey.db, session.userId, [], { name: 'hers' });
  const visitor = await journey.visit({ session, locale: 'en-US' });
  const { page } = visitor;
  visitor.expectFailure(/ERR_FAILED GET \/assets\/backend-library-/);
  let tries = 0;
  await page.route(PARTS.client, (route) => {
    tries += 1;
    return tries <= 2 ? route.abort('failed') : route.continue();
  });
  await page.goto('/');
  await see(page.getByRole('heading', { name: 'hers' }));
  await expect.poll(() => tries).toBeGreaterThan(2);
  await see(page.getByRole('heading', { name: 'hers' }));
  await chooseFromMenu(page, 'hers', 'Archive List');
  await gone(page.getByRole('heading', { name: 'hers' }));
});

test('a part that shares its file with others opens once the file has come', async () => {
  const session = await journey.person('dina.dialogs');
  const visitor = await journey.visit({ session, locale: 'en-US' });
  const { page } = visitor;
  const files = new Set<string>();
  page.on('request', (request) => files.add(new URL(request.url()).pathname));
  const lastOfAll = page.waitForRequest(/\/assets\/new-search-dialog-/);
  await page.goto('/');
  await lastOfAll;
  const known = new Set(files);
  const panel = page.getByRole('dialog');
  await page.goto(`/?run=${crypto.randomUUID()}`);
  await see(panel);
  const shared = [...files].filter((file) => !known.has(file) && /^\/assets\/shared-.*\.js$/.test(file));
  expect(shared.length).toBeGreaterThan(0);

  visitor.expectFailure(/ERR_FAILED GET \/assets\/shared-/);
  visitor.expectFailure(/^404 GET \/api\/runs\//);
  const isShared = (url: URL) => shared.includes(url.pathname);
  await page.route(isShared, (route) => route.abort('failed'));
  const failed = page.waitForEvent('requestfailed', (request) => isShared(new URL(request.url())));
  await page.reload();
  await failed;
  await page.unroute(isShared);
  await see(panel);
});

test('a mailed link that opens without the client says so, and goes on after a reload', async () => {
  const visitor = await journey.visit({ locale: 'en-US' });
  const { page } = visitor;
  visitor.expectFailure(/ERR_FAILED GET \/assets\/backend-library-/);
  await page.clock.install();
  await page.route(PARTS.client, (route) => route.abort('failed'));
  await page.goto('/?error=access_denied&error_code=otp_expired');
  const passTime = async () => {
    await page.clock.runFor(10_000);
    return page.getByText(/^(Still loading|Something went wrong)/).allTextContents();
  };
  await expect.poll(passTime).toEqual(['Still loading. Check your internet connection.']);
  await expect.poll(passTime).toEqual(['Something went wrong']);
  await page.unroute(PARTS.client);
  await page.getByRole('button', { name: 'Reload' }).click();
  await see(page.getByText('This sign-in link no longer works'));
});

test('until the files of the next page are here, the page before it stays and can be used', async () => {
  const session = await journey.person('sam.stays');
  const { page } = await journey.visit({ session, locale: 'en-US' });
  await page.goto('/');
  await see(page.getByRole('heading', { name: 'Dashboard' }));
  const letThrough = await holdBack(page, /\/assets\/usage-.*\.js$/);
  await page.getByRole('link', { name: 'Usage', exact: true }).click();
  await page.getByRole('button', { name: 'New Search' }).first().click();
  await see(page.getByRole('dialog', { name: 'New Search' }));
  await page.keyboard.press('Escape');
  await see(page.getByRole('heading', { name: 'Dashboard' }));
  letThrough();
  await see(page.getByText('Usage analytics interface coming soon...'));
});

test('Back and Forward lead to where a page was left, a new page begins at its top', async () => {
  const session = await journey.person('bea.back');
  for (let index = 1; index <= 30; index += 1)
    await buildListOf(journey.db, session.userId, [], { name: `List ${index}` });
  const { page } = await journey.visit({ session, locale: 'en-US', viewport: { width: 1440, height: 500 } });
  const place = () => page.evaluate('Math.round(scrollY)');
  const wheelTo = async (y: number) => {
    await page.evaluate(`scrollTo(0, ${y})`);
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  };
  await page.goto('/');
  // The last of them: cards are drawn in portions, and the page is too short before.
  await see(page.getByRole('heading', { name: 'List 1', exact: true }));
  await wheelTo(700);
  await page.getByRole('link', { name: 'Privacy' }).first().click();
  await see(page.getByRole('heading', { level: 1, name: 'Privacy' }));
  await expect.poll(place).toBe(0);
  await wheelTo(300);
  await page.goBack();
  await see(page.getByRole('heading', { name: 'List 30' }));
  await expect.poll(place).toBe(700);
  await page.reload();
  await see(page.getByRole('heading', { name: 'Dashboard' }));
  await page.goForward();
  await see(page.getByRole('heading', { level: 1, name: 'Privacy' }));
  await expect.poll(place).toBe(300);
  await page.goBack();
  await see(page.getByRole('heading', { name: 'List 1', exact: true }));
  // What changes only how the lists are shown leaves the page where it is.
  await wheelTo(40);
  await page.getByRole('combobox', { name: 'Sort' }).click();
  await page.getByRole('option', { name: 'Oldest' }).click();
  await expect
    .poll(() =>
      page
        .getByRole('heading', { name: /^List / })
        .first()
        .textContent(),
    )
    .toBe('List 1');
  expect(await place()).toBe(40);
});
