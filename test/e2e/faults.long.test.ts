// Providers that are slow or away: their clients' real back-offs and pauses are waited for.
import { describe, expect, test } from 'vitest';
import { buildListOf, readCalls, readRuns } from '#test/lists.ts';
import { LIST, personWith, search, searchFailsUntilRetried, TEN, TOWN } from './harness/faulty.ts';
import { setUpJourney } from './harness/journey.ts';
import { arriveAt, card, chooseHunterAlone, fillSearch, gone, read, see, toast } from './harness/steps.ts';

const journey = setUpJourney();

describe('a search fails, says why, and Retry works with another key', () => {
  test.each([
    ['sandbox-bad-key-later', /Google rejected this API key/],
    ['sandbox-malformed-later', /The response from Google Places could not be read. One request may have been charged/],
    [
      'sandbox-down-later',
      /(Google Places is having trouble right now|The response from Google Places could not be read)/,
    ],
  ])('%s', (key, reason) => searchFailsUntilRetried(journey, key, reason));

  test('a limit is waited for, and no one hears of it', async () => {
    const session = await personWith(journey, 'limited', { google: 'sandbox-rate-limited-later' });
    const { page } = await journey.visit({ session });
    await search(page, TOWN);
    await read(toast(page, 'Search complete'), /(1\d|20) leads found\./);
  });
});

test('a long search that ends while one is elsewhere says so, and leads to its list', async () => {
  const session = await personWith(journey, 'vera', { google: 'sandbox-notice-slow-later' });
  const { page } = await journey.visit({ session });
  await page.goto('/search');
  await fillSearch(page, { what: 'florist', where: 'Springfield, IL' });
  await page.getByRole('button', { name: 'Start Search' }).click();
  await see(card(page, 'florist in Springfield, IL'));
  await page.getByRole('link', { name: 'Settings' }).first().click();
  await arriveAt(page, '/settings');
  const notice = page.locator('[data-sonner-toast]').filter({ hasText: 'florist in Springfield, IL' });
  await notice.waitFor({ timeout: 40_000 });
  await notice.getByRole('button', { name: 'View list' }).click();
  await arriveAt(page, /^\/lists\//);
  await read(page, /\d+ leads · 45% complete/);
});

describe('paid work', () => {
  test('asked for twice, in one tab and in two, is done and paid for once', async () => {
    const session = await personWith(journey, 'twice', { google: 'sandbox-slow-later', hunter: 'sandbox-slow-later' });
    const id = await buildListOf(journey.db, session.userId, TEN, { name: 'Ten dentists' });
    const visitor = await journey.visit({ session });
    const { page } = visitor;
    const other = await visitor.newTab();
    for (const tab of [page, other]) {
      await tab.goto(`/lists/${id}`);
      await tab.getByRole('button', { name: '+ Add Emails & Contacts' }).click();
      await see(tab.getByRole('button', { name: 'Start Enrichment' }));
      await chooseHunterAlone(tab);
    }
    await Promise.all([page, other].map((tab) => tab.getByRole('button', { name: 'Start Enrichment' }).dblclick()));
    for (const tab of [page, other]) await read(tab, /· 65% complete ·/);
    const runs = await readRuns(journey.db, session.userId);
    expect(runs.map(({ kind, state }) => [kind, state])).toEqual([['enrichment', 'completed']]);
    const subjects = (await readCalls(journey.db, session.userId)).map(({ subject }) => subject);
    expect(subjects).toHaveLength(10);
    expect(new Set(subjects).size).toBe(10);

    await page.goto('/search');
    const dialog = await fillSearch(page, TOWN);
    await dialog.getByRole('button', { name: 'Start Search' }).dblclick();
    await gone(dialog);
    await read(card(page, LIST), 'Data Processing');
    await expect.poll(() => card(page, LIST).count()).toBe(1);
    // The card is there before the server has heard of it.
    const searches = async () => (await readRuns(journey.db, session.userId)).filter(({ kind }) => kind === 'search');
    await expect.poll(searches, { timeout: 10_000 }).toHaveLength(1);
  });

  test('goes on while the network is gone, and the page catches up', async () => {
    const session = await personWith(journey, 'tunnel', { google: 'sandbox-slow-later' });
    const visitor = await journey.visit({ session });
    const { page, context } = visitor;
    visitor.expectFailure(/^net::ERR_/);
    await search(page, TOWN);
    await expect.poll(() => readRuns(journey.db, session.userId), { timeout: 10_000 }).toHaveLength(1);
    await context.setOffline(true);
    await expect
      .poll(async () => (await readRuns(journey.db, session.userId))[0]?.state, { timeout: 20_000 })
      .toBe('completed');
    await context.setOffline(false);
    await read(card(page, LIST), 'Basic');
    await read(card(page, LIST), /(1\d|20)\s*leads/);
  });
});
