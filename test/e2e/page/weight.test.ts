import { beforeAll, describe, expect, test } from 'vitest';
import { setUpJourney } from '#test/e2e/harness/journey.ts';
import type { Session } from '#test/e2e/harness/site.ts';
import { see } from '#test/e2e/harness/steps.ts';
import { buildListOf } from '#test/lists.ts';
import { weigh } from './measure.ts';

const journey = setUpJourney();
const KB = 1000;
let session: Session;
let listId: string;

beforeAll(async () => {
  session = await journey.person('wanda.weigh');
  await journey.site.connect(session, 'google_places', 'sandbox');
  listId = await buildListOf(journey.db, session.userId, [], { name: 'Bakers in Springfield' });
});

describe('what a browser with an empty cache moves before a page can be used', () => {
  test('the login form: at most 150 kB in 10 requests', async () => {
    const { page } = await journey.visit({ locale: 'en-US' });
    const weight = await weigh(page, '/login', 'input[type=email]:enabled');
    expect(weight.bytes, JSON.stringify(weight, null, 1)).toBeLessThanOrEqual(150 * KB);
    expect(weight.requests.length, JSON.stringify(weight, null, 1)).toBeLessThanOrEqual(10);
  });

  test('the dashboard of someone with a list: at most 195 kB', async () => {
    const { page } = await journey.visit({ session, locale: 'en-US' });
    const weight = await weigh(page, '/', 'main article a[href^="/lists/"]');
    expect(weight.bytes, JSON.stringify(weight, null, 1)).toBeLessThanOrEqual(195 * KB);
    await page.getByRole('button', { name: 'New Search' }).first().click();
    await see(page.getByRole('dialog', { name: 'New Search' }));
  });

  test('a list: at most 220 kB, with what only the table needs', async () => {
    const { page } = await journey.visit({ session, locale: 'en-US' });
    const weight = await weigh(page, `/lists/${listId}`, 'main h1');
    expect(weight.bytes, JSON.stringify(weight, null, 1)).toBeLessThanOrEqual(220 * KB);
  });

  test('the files of a signed-in page: as many as the browser has connections', async () => {
    for (const path of ['/', `/lists/${listId}`]) {
      const { page } = await journey.visit({ session, locale: 'en-US' });
      const { requests } = await weigh(page, path, 'main h1');
      const files = requests.filter(({ path: file }) => file.startsWith('/assets/'));
      expect(files.length, JSON.stringify(files, null, 1)).toBeLessThanOrEqual(6);
    }
  });
});
