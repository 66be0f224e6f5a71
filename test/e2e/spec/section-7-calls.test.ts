import { beforeAll, expect, test } from 'vitest';
import { type Call, recordCalls } from '#test/e2e/harness/calls.ts';
import { setUpJourney } from '#test/e2e/harness/journey.ts';
import type { Session } from '#test/e2e/harness/site.ts';
import { card, chooseFromMenu, fillSearch, gone, read, see, toast, typeKey } from '#test/e2e/harness/steps.ts';
import { buildListOf } from '#test/lists.ts';

const journey = setUpJourney();
let session: Session;
let listId: string;

beforeAll(async () => {
  session = await journey.person('cal');
  for (const provider of ['google_places', 'hunter_io', 'searchbug'] as const)
    await journey.site.connect(session, provider, 'sandbox');
  const leads = Array.from({ length: 3 }, (_, index) => ({
    phone: `+1 217-555-016${index}`,
    website: `https://dentist-${index}.example`,
  }));
  listId = await buildListOf(journey.db, session.userId, leads, { name: 'mine' });
});

const only = (calls: Call[], what: string) => calls.filter((call) => call.what === what);
const bodies = (calls: Call[], what: string) => only(calls, what).map(({ body }) => body);

test('opening the dashboard reads lists and keys, as the signed-in person', async () => {
  const { page } = await journey.visit({ session });
  const calls = recordCalls(page);
  await page.goto('/');
  await see(card(page, 'mine'));
  await read(page, 'Ready to search');
  const [lists] = only(calls, 'GET /rest/v1/lists');
  expect(lists?.query).toMatchObject({ select: '*', order: expect.stringMatching(/^created_at\.desc/) });
  expect(only(calls, 'GET /api/keys')).toHaveLength(1);
  expect(calls.filter(({ bearer }) => !bearer)).toEqual([]);
});

test.each([
  ['5', 8047],
  ['25', 40_234],
  ['100', 160_934],
])('a search of %s miles inserts its list, then asks for %i meters', async (radius, meters) => {
  const { page } = await journey.visit({ session });
  await page.goto('/search');
  await fillSearch(page, { what: 'florist', where: 'Austin, TX', radius, max: '20' });
  const calls = recordCalls(page);
  await page.getByRole('button', { name: 'Start Search' }).click();
  await see(toast(page, /^(Search complete|No leads found)/));
  const [list] = await journey.db.selectFrom('lists').selectAll().orderBy('created_at', 'desc').limit(1).execute();
  expect(bodies(calls, 'POST /rest/v1/lists')).toEqual([
    {
      user_id: session.userId,
      name: 'florist in Austin, TX',
      search_params: { businessType: 'florist', location: 'Austin, TX', radius, maxResults: '20' },
      status: 'processing',
    },
  ]);
  // The bound that the dialog showed goes along, if it was there in time.
  expect(bodies(calls, 'POST /api/search-leads')).toMatchObject([
    { query: 'florist', location: 'Austin, TX', list_id: list?.id, radius: meters, maxResults: 20 },
  ]);
  expect(list).toMatchObject({ status: 'completed', completeness: 45, tier1_complete: true });
});

test('enrichment and check send the list, and read lists and leads again', async () => {
  const { page } = await journey.visit({ session });
  const opened = recordCalls(page);
  await page.goto(`/lists/${listId}`);
  await see(page.getByRole('row').nth(3));
  expect(only(opened, 'GET /rest/v1/leads')[0]?.query).toMatchObject({ select: '*', list_id: `eq.${listId}` });
  for (const [button, start, path, news] of [
    ['+ Add Emails & Contacts', 'Start Enrichment', 'POST /api/enrich/emails', 'Enrichment complete'],
    ['Check Compliance', 'Check Compliance', 'POST /api/compliance', 'Compliance check complete'],
  ] as const) {
    await page.getByRole('button', { name: button }).click();
    // The click may take longer than the response.
    const sinceResponse = page
      .waitForResponse((response) => response.url().endsWith(path.slice('POST '.length)))
      .then(() => recordCalls(page));
    const calls = recordCalls(page);
    await page.locator('[role=dialog], [role=alertdialog]').getByRole('button', { name: start }).click();
    const after = await sinceResponse;
    await see(toast(page, news));
    expect(bodies(calls, path)).toMatchObject([{ list_id: listId }]);
    await expect.poll(() => only(after, 'GET /rest/v1/lists').length).toBeGreaterThan(0);
    await expect
      .poll(() => only(after, 'GET /rest/v1/leads').map(({ query }) => query.list_id))
      .toContain(`eq.${listId}`);
  }
});

test('the compliance summary is read from the verdicts alone', async () => {
  const { page } = await journey.visit({ session });
  const calls = recordCalls(page);
  await page.goto('/');
  await read(card(page, 'mine'), /\d leads? checked · \d+ safe · \d+ flagged · \$/);
  expect(only(calls, 'GET /rest/v1/leads')[0]?.query).toMatchObject({
    select: 'compliance_status',
    list_id: `eq.${listId}`,
  });
});

test('rename, archive and delete go straight to the list', async () => {
  const id = await buildListOf(journey.db, session.userId, [], { name: 'short-lived' });
  const { page } = await journey.visit({ session });
  await page.goto('/');
  await see(card(page, 'short-lived'));
  const calls = recordCalls(page);
  await chooseFromMenu(page, 'short-lived', 'Rename');
  await page.getByLabel('List name').fill('renamed');
  await page.getByRole('button', { name: 'Save' }).click();
  await see(toast(page, 'Renamed'));
  await chooseFromMenu(page, 'renamed', 'Archive List');
  await see(toast(page, 'List archived'));
  await page.goto('/?view=archived');
  await chooseFromMenu(page, 'renamed', 'Delete');
  await page.getByRole('button', { name: 'Proceed' }).click();
  await see(toast(page, 'Deleted'));
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
  expect(bodies(calls, 'PATCH /rest/v1/lists')).toEqual([
    { name: 'renamed', updated_at: time },
    { lifecycle_status: 'archived', archived_at: time },
  ]);
  const changes = calls.filter(({ what }) => /^(PATCH|DELETE) /.test(what));
  expect(changes.map(({ query }) => query.id)).toEqual([`eq.${id}`, `eq.${id}`, `eq.${id}`]);
});

test('keys: tested and saved from the dialog, tested as stored from the card, deleted by provider', async () => {
  const { page } = await journey.visit({ session });
  await page.goto('/settings');
  const hunter = page.getByRole('region', { name: 'Hunter.io' });
  const calls = recordCalls(page);
  await gone(await typeKey(page, 'Hunter.io', ' sandbox '));
  await expect.poll(() => only(calls, 'GET /api/keys').length).toBeGreaterThan(0);
  await hunter.getByRole('button', { name: 'Test', exact: true }).click();
  await read(toast(page, 'Connection successful ✓'), 'Hunter.io connection is working');
  await hunter.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click();
  await see(toast(page, 'Disconnected'));
  expect(bodies(calls, 'POST /api/keys/test')).toEqual([
    { provider: 'hunter_io', apiKey: 'sandbox', save: true },
    { provider: 'hunter_io', testExisting: true },
  ]);
  expect(bodies(calls, 'DELETE /api/keys')).toEqual([{ provider: 'hunter_io' }]);
});

test('the sign-in asks the precheck without a session, then for a link with a PKCE challenge', async () => {
  const { page } = await journey.visit();
  const calls = recordCalls(page);
  await page.goto('/login');
  await page.getByLabel('Email').fill(session.email);
  await page.getByRole('button', { name: 'Send magic link' }).click();
  await read(page, 'Check your email for a magic link to sign in.');
  // Which other ways in there are is asked when the page opens.
  const asked = calls.filter(({ what }) => what !== 'GET /auth/v1/settings');
  expect(asked.map(({ what }) => what)).toEqual(['POST /api/auth/precheck', 'POST /auth/v1/otp']);
  const [precheck, otp] = asked;
  expect(precheck).toMatchObject({ body: { email: session.email }, bearer: false });
  expect(otp?.query).toEqual({ redirect_to: journey.site.url });
  expect(otp?.body).toMatchObject({
    email: session.email,
    create_user: true,
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 's256',
  });
});
