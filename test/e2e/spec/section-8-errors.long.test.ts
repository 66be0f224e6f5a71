import { beforeAll, expect, test } from 'vitest';
import { type Answer, answerInstead } from '#test/e2e/harness/calls.ts';
import { openWithFailures } from '#test/e2e/harness/failing-server.ts';
import { checkAccessibility, setUpJourney } from '#test/e2e/harness/journey.ts';
import type { Session } from '#test/e2e/harness/site.ts';
import { card, chooseFromMenu, fillSearch, gone, read, see, toast } from '#test/e2e/harness/steps.ts';
import { buildListOf } from '#test/lists.ts';

const journey = setUpJourney();
let session: Session;

beforeAll(async () => {
  session = await journey.person('erika');
  for (const provider of ['google_places', 'hunter_io', 'searchbug'] as const)
    await journey.site.connect(session, provider, 'sandbox');
  await buildListOf(journey.db, session.userId, [{ phone: '+1 217-555-0170' }], { name: 'mine' });
});

const open = (path: string) => openWithFailures(journey, session, path);

const HTML: Answer = { status: 502, contentType: 'text/html', body: `<h1>Bad gateway</h1>${'x'.repeat(300)}` };
const refusal = (message: string): Answer => ({ status: 500, body: { message } });

test('Archive, Rename and Delete failed: with the reason, or Unknown error; the list is back', async () => {
  const page = await open('/');
  await see(card(page, 'mine'));
  const release = await answerInstead(page, 'PATCH /rest/v1/lists', refusal('The database is resting.'));
  await chooseFromMenu(page, 'mine', 'Archive List');
  await read(toast(page, 'Archive failed'), 'The database is resting.');
  await see(card(page, 'mine'));
  await release();
  await answerInstead(page, 'PATCH /rest/v1/lists', refusal(''));
  await chooseFromMenu(page, 'mine', 'Rename');
  await page.getByLabel('List name').fill('yours');
  await page.getByRole('button', { name: 'Save' }).click();
  await read(toast(page, 'Rename failed'), 'Unknown error');
  // What was typed is still there.
  await expect.poll(() => page.getByLabel('List name').inputValue()).toBe('yours');
  await page.keyboard.press('Escape');
  await answerInstead(page, 'DELETE /rest/v1/lists', refusal('The database is resting.'));
  await chooseFromMenu(page, 'mine', 'Delete');
  await page.getByRole('button', { name: 'Proceed' }).click();
  await read(toast(page, 'Delete failed'), 'The database is resting.');
  await see(card(page, 'mine'));
  await checkAccessibility(page);
});

test('a list that cannot be created says why and keeps the form', async () => {
  const page = await open('/search');
  await answerInstead(page, 'POST /rest/v1/lists', refusal(''));
  const dialog = await fillSearch(page, { what: 'florist', where: 'Austin, TX' });
  await dialog.getByRole('button', { name: 'Start Search' }).click();
  await read(toast(page, 'The list could not be created'), 'Unknown error');
  await expect.poll(() => dialog.getByLabel('Business type').inputValue()).toBe('florist');
});

test.each<[string, Answer, string]>([
  ['a page instead of JSON', HTML, `Server returned non-JSON response: <h1>Bad gateway</h1>${'x'.repeat(180)}`],
  ['a silent refusal', { status: 502, body: { success: false } }, 'Search failed with HTTP 502'],
  ['a refusal with words', { status: 422, body: { success: false, message: 'No such place.' } }, 'No such place.'],
])('a search that fails by %s', async (_name, answer, text) => {
  const page = await open('/search');
  await answerInstead(page, 'POST /api/search-leads', answer);
  const dialog = await fillSearch(page, { what: 'florist', where: 'Austin, TX' });
  await dialog.getByRole('button', { name: 'Start Search' }).click();
  await see(toast(page, 'Search failed').getByText(text, { exact: true }));
});

test('a key that cannot be tested says why in the dialog, each cause in its words', async () => {
  const page = await open('/settings');
  await page.getByRole('region', { name: 'Hunter.io' }).getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Hunter.io key' });
  const json = 'application/json';
  for (const [answer, text] of [
    [{ status: 500, body: { success: false } }, 'Failed to test API key'],
    [{ status: 503, body: 'away', contentType: 'text/plain' }, 'HTTP 503'],
    [
      { status: 200, body: '<p>hello</p>', contentType: 'text/html' },
      'Server returned invalid response. Please try again.',
    ],
    [{ status: 200, body: '{"succ', contentType: json }, 'Server returned an invalid response. Please try again.'],
    [undefined, 'Network error occurred. Please try again.'],
    [{ status: 200, body: { success: true, data: { valid: false, saved: false } } }, 'API key test failed'],
    [
      { status: 200, body: { success: true, data: { valid: false, error: 'Hunter says no.', saved: false } } },
      'Hunter says no.',
    ],
  ] as [Answer, string][]) {
    const release = await answerInstead(page, 'POST /api/keys/test', answer);
    await dialog.getByLabel('API key').fill('sandbox');
    await dialog.getByRole('button', { name: 'Update' }).click();
    await see(dialog.getByRole('alert').getByText(text, { exact: true }));
    await release();
  }
  await page.context().setOffline(true);
  await dialog.getByLabel('API key').fill('sandbox');
  await dialog.getByRole('button', { name: 'Update' }).click();
  await read(dialog, 'Network error. Please check your internet connection.');
  await page.context().setOffline(false);
});

test('settings: a stored key that fails, a key that stays, keys that cannot be read', async () => {
  const page = await open('/settings');
  const hunter = page.getByRole('region', { name: 'Hunter.io' });
  const silent: Answer = { status: 200, body: { success: true, data: { valid: false, saved: false } } };
  await answerInstead(page, 'POST /api/keys/test', silent);
  await hunter.getByRole('button', { name: 'Test', exact: true }).click();
  await read(toast(page, 'Connection failed ✗'), 'Connection test failed');
  await answerInstead(page, 'DELETE /api/keys', refusal('The vault is shut.'));
  await hunter.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click();
  await read(toast(page, 'Error'), 'Failed to disconnect');
  await read(page.getByRole('main'), 'Failed to delete API key');
  await see(hunter.getByText('Connected', { exact: true }));
  const release = await answerInstead(page, 'GET /api/keys', { status: 500, body: { success: false } });
  await page.reload();
  await read(page, 'Failed to fetch API keys');
  await checkAccessibility(page);
  await release();
  await page.getByRole('button', { name: 'Try again' }).click();
  await see(hunter.getByText('Connected', { exact: true }));
});

test('login: each refusal of the precheck has its words', async () => {
  const visitor = await journey.visit();
  const { page } = visitor;
  visitor.expectFailure(/^(500|net::ERR_\w+) POST \/api\/auth\/precheck$/);
  await page.goto('/login');
  const denied = (reason?: string): Answer => ({
    status: 200,
    body: { success: true, data: { allow: false, reason } },
  });
  for (const [answer, text] of [
    [denied(), 'Access denied. Please contact support if you believe this is an error.'],
    [denied('KEAP_ERROR'), 'Unable to verify access right now. Please try again or contact support.'],
    [denied('NO_CONTACT'), 'Access denied. This email does not have the required access.'],
    [denied('MISSING_TAG'), 'Access denied. This email does not have the required access.'],
    [{ status: 200, body: { allow: false, reason: 'KEAP_ERROR' } }, 'Unable to verify access right now.'],
    [{ status: 500, body: {} }, 'Something went wrong. Please try again later.'],
    [undefined, 'Something went wrong. Please try again later.'],
  ] as [Answer, string][]) {
    const release = await answerInstead(page, 'POST /api/auth/precheck', answer);
    await page.getByLabel('Email').fill('someone@people.example');
    await page.getByRole('button', { name: 'Send magic link' }).click();
    await read(page.getByRole('alert'), text);
    await release();
    await page.reload();
  }
});

test('without its settings the backend is said to be disabled', async () => {
  const visitor = await journey.visit();
  const { page } = visitor;
  visitor.expectFailure(/^404 GET \/config\.json$/);
  await answerInstead(page, 'GET /config.json', { status: 404, body: {} });
  await page.route('**/login', async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/<script type="application\/json" id="config">.*?<\/script>/, '');
    await route.fulfill({ response, body });
  });
  await page.goto('/login');
  await read(page, 'The backend is disabled because environment settings are missing.');
  await checkAccessibility(page);
});

test('a page that breaks says Something went wrong, and Reload mends it', async () => {
  const visitor = await journey.visit({ session });
  const { page } = visitor;
  visitor.expectFailure(/^net::ERR_FAILED GET \/assets\//);
  visitor.expectFailure(/^(console|uncaught): /);
  await page.goto('/usage');
  const broken = /\/assets\/list-(?!dialogs)[^/]*\.js$/;
  await page.route(broken, (route) => route.abort());
  const id = await buildListOf(journey.db, session.userId, [], { name: 'breaks' });
  await page.goto(`/lists/${id}`);
  await read(page, 'Something went wrong');
  // The rest of the app is still there.
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
  await see(card(page, 'breaks'));
  await page.goBack();
  await read(page, 'Something went wrong');
  await page.unroute(broken);
  await page.getByRole('button', { name: 'Reload' }).click();
  await see(page.getByRole('heading', { name: 'breaks', level: 1 }));
  await gone(page.getByText('Something went wrong'));
});
