import { beforeAll, expect, test } from 'vitest';
import { setUpJourney } from '#test/e2e/harness/journey.ts';
import type { Session } from '#test/e2e/harness/site.ts';
import { arriveAt, fillSearch, read, see, toast } from '#test/e2e/harness/steps.ts';
import { buildListOf } from '#test/lists.ts';

const journey = setUpJourney({ env: { ADMIN_EMAILS: 'ada@people.example' } });
let user: Session;
let admin: Session;
let listId: string;

beforeAll(async () => {
  user = await journey.person('uma');
  admin = await journey.person('ada');
  listId = await buildListOf(journey.db, user.userId, [], { name: 'mine' });
});

/** A page of someone of their own, whose session ends while it is open, as `end` does it. */
async function openThenEnd(
  name: string,
  { path, shown, end = 'token ran out' }: { path: string; shown: string; end?: 'token ran out' | 'ended elsewhere' },
) {
  const session = await journey.person(name);
  for (const provider of ['google_places', 'hunter_io', 'searchbug'] as const)
    await journey.site.connect(session, provider, 'sandbox');
  const list = await buildListOf(
    journey.db,
    session.userId,
    [{ phone: '+1 217-555-0150', website: 'https://mine.example/' }],
    {
      name: 'mine',
    },
  );
  const visitor = await journey.visit({ session });
  const { page } = visitor;
  visitor.expectFailure(/^(401 |400 POST \/auth\/v1\/token|403 POST \/auth\/v1\/logout)/);
  // The channel on which pages are told of the end: without it they meet it at the next press.
  await page.routeWebSocket(/\/realtime\//, () => {});
  await page.goto(path.replace(':list', list));
  await read(page, shown);
  const lose = async () => {
    await journey.db.deleteFrom('auth.sessions').where('user_id', '=', session.userId).execute();
    if (end === 'token ran out')
      await page.evaluate(
        "localStorage.setItem('fairlead-session', JSON.stringify({ ...JSON.parse(localStorage.getItem('fairlead-session')), expires_at: 1 }))",
      );
  };
  /** Ends it while a request is on its way: before, the page may notice by itself, and take the button away. */
  const loseDuring = (path: string) =>
    page.route(`**${path}`, async (route) => {
      await lose();
      await route.continue();
    });
  return { page, lose, loseDuring };
}

test('enrichment without a session asks to sign in', async () => {
  const { page, loseDuring } = await openThenEnd('emil', { path: '/lists/:list', shown: '+1 217-555-0150' });
  await page.getByRole('button', { name: '+ Add Emails & Contacts' }).click();
  await read(page.getByRole('dialog'), /1 lead · 1 website to visit · at most 1 domain to look up/);
  await loseDuring('/api/enrich/emails');
  await page.getByRole('button', { name: 'Start Enrichment' }).click();
  await read(toast(page, 'Enrichment failed'), 'Please sign in to enrich emails.');
  await read(page, 'You are signed out');
});

test('a compliance check without a session asks to sign in', async () => {
  const { page, loseDuring } = await openThenEnd('cora', {
    path: '/lists/:list',
    shown: '+1 217-555-0150',
    end: 'ended elsewhere',
  });
  await page.getByRole('button', { name: 'Check Compliance' }).click();
  await read(page.getByRole('alertdialog'), /1 lead · 1 US number to check/);
  await loseDuring('/api/compliance');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Check Compliance' }).click();
  await read(toast(page, 'Compliance check failed'), 'Please sign in to check compliance.');
  await read(page, 'You are signed out');
});

test('keys without a session are not authenticated', async () => {
  const { page, loseDuring } = await openThenEnd('kit', { path: '/settings', shown: 'Finds emails' });
  await loseDuring('/api/keys/test');
  await page.getByRole('region', { name: 'Hunter.io' }).getByRole('button', { name: 'Test' }).click();
  await read(toast(page, 'Connection failed ✗'), 'Not authenticated');
});

test.each(['token ran out', 'ended elsewhere'] as const)(
  'a search without a session (%s) leads to the sign-in',
  async (end) => {
    const name = end.replaceAll(' ', '-');
    const { page, lose } = await openThenEnd(name, { path: '/', shown: 'Ready to search', end });
    await page.getByRole('button', { name: 'New Search' }).first().click();
    const dialog = await fillSearch(page, { what: 'dentist', where: 'Springfield, IL' });
    await lose();
    await dialog.getByRole('button', { name: 'Start Search' }).click();
    await see(toast(page, 'Not authenticated'));
    await arriveAt(page, '/login');
  },
);

test('no one else sees a list', async () => {
  const visitor = await journey.visit({ session: admin });
  const { page } = visitor;
  // The page asks for what belongs to the list before it knows that there is none.
  visitor.expectFailure(/^404 (POST \/api\/lists\/[^/]+\/leads\/counts|GET \/api\/(runs|lists\/[^/]+\/page))$/);
  await page.goto(`/lists/${listId}`);
  await see(page.getByRole('heading', { name: 'List not found' }));
});

test('only admins have the Admin group', async () => {
  const linksOf = async (session: Session) => {
    const { page } = await journey.visit({ session });
    await page.goto('/usage');
    const nav = page.getByRole('navigation', { name: 'Main' });
    await see(nav.getByRole('button', { name: 'Logout' }));
    const links = await nav.getByRole('link').evaluateAll((found) => found.map((link) => link.getAttribute('href')));
    return links.filter((href) => href?.startsWith('/admin'));
  };
  expect(await linksOf(user)).toEqual([]);
  expect(await linksOf(admin)).toEqual([
    '/admin/training',
    '/admin/users',
    '/admin/settings',
    '/admin/calling-rules',
    '/admin/sources',
    '/admin/audit',
  ]);
});
