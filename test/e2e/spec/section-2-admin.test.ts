import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { type Answer, answerInstead, type Call, recordCalls } from '#test/e2e/harness/calls.ts';
import { checkAccessibility, setUpJourney, tellAsOneStory } from '#test/e2e/harness/journey.ts';
import type { Session } from '#test/e2e/harness/site.ts';
import { arriveAt, choose, gone, read, see, tabTo, toast } from '#test/e2e/harness/steps.ts';
import type { Visitor } from '#test/e2e/harness/visitor.ts';

// One story: the CRM is connected, a tag required, and people are looked at, invited and disabled.
const journey = setUpJourney({ env: { ADMIN_EMAILS: 'ada@people.example' } });
let visitor: Visitor;
let page: Page;
let calls: Call[];
let user: Session;

beforeAll(async () => {
  const admin = await journey.person('ada');
  user = await journey.person('untagged');
  visitor = await journey.visit({ session: admin, lasting: true });
  page = visitor.page;
  calls = recordCalls(page);
});
tellAsOneStory();

const region = (name: string) => page.getByRole('region', { name });
const sent = (what: string) => calls.filter((call) => call.what === what);

test('three cards: nothing is configured, connected or required', async () => {
  await page.goto('/admin/settings');
  await see(page.getByRole('heading', { name: 'Admin Settings', level: 1 }));
  await read(region('CRM credentials'), 'Not configured');
  await read(region('OAuth connect'), 'Configure credentials first');
  await expect.poll(() => region('OAuth connect').getByRole('button', { name: 'Connect' }).isDisabled()).toBe(true);
  await see(region('Required tags'));
  await checkAccessibility(page);
});

test('credentials are required and trimmed; what fails says why', async () => {
  visitor.expectFailure(/^(500|502) POST \/api\/admin\/keap\/save-credentials$/);
  const card = region('CRM credentials');
  const save = card.getByRole('button', { name: 'Save credentials' });
  await card.getByLabel('Client ID').fill('   ');
  await save.click();
  await read(toast(page, 'Missing fields'), 'Client ID and Client Secret are required');
  await card.getByLabel('Client ID').fill(' sandbox-client ');
  await card.getByLabel('Client Secret').fill(' sandbox-secret ');
  for (const [answer, text] of [
    [{ status: 502, body: '<p>Sign in</p>', contentType: 'text/html' }, /deployment protection/],
    [{ status: 200, body: '{"succ' }, 'Invalid JSON response from server'],
    [{ status: 500, body: { success: false } }, 'Unknown error'],
  ] as [Answer, string | RegExp][]) {
    const release = await answerInstead(page, 'POST /api/admin/keap/save-credentials', answer);
    await save.click();
    await see(toast(page, 'Save failed').getByText(text));
    await release();
  }
  await save.click();
  await read(toast(page, 'Keap app credentials saved'), 'Stored securely.');
  expect(sent('POST /api/admin/keap/save-credentials').at(-1)?.body).toEqual({
    client_id: 'sandbox-client',
    client_secret: 'sandbox-secret',
  });
  await read(card, 'Configured');
  await expect.poll(() => card.getByLabel('Client Secret').inputValue()).toBe('');
});

test('connecting leads to the CRM and back', async () => {
  const card = region('OAuth connect');
  const release = await answerInstead(page, 'GET /api/admin/keap/oauth/start', {
    status: 200,
    body: { success: true, data: {} },
  });
  await card.getByRole('button', { name: 'Connect' }).click();
  await read(toast(page, 'Keap connect failed'), 'Missing authorize URL');
  await release();
  await card.getByRole('button', { name: 'Connect' }).click();
  await page.getByRole('button', { name: 'Allow' }).click();
  await arriveAt(page, '/admin/settings');
  await see(card.getByText('Connected', { exact: true }));
});

test('tags are read 250 at a time, searched whatever their case, required and taken away', async () => {
  const card = region('Required tags');
  await read(card, '600 tags');
  expect(sent('GET /api/admin/keap/tags').map(({ query }) => query)).toEqual(
    ['0', '250', '500'].map((offset) => ({ offset, limit: '250' })),
  );
  const search = card.getByLabel('Search tags');
  await search.fill('fairLEAD mem');
  await read(card, '1 of 600 tags');
  await card.getByText('Fairlead member').click();
  await search.fill('webinar 0');
  await card.getByText('Webinar 02').click();
  await checkAccessibility(page);
  await card.getByRole('button', { name: 'Add 2 tags' }).click();
  await see(toast(page, 'Required tags saved'));
  expect(sent('POST /api/admin/keap/required-tags')[0]?.body).toMatchObject({
    tags: [
      { tag_id: '1001', tag_name: 'Fairlead member' },
      { tag_id: expect.any(String), tag_name: 'Webinar 02' },
    ],
  });
  await card.getByRole('button', { name: 'Remove Webinar 02' }).click();
  await see(toast(page, 'Tag removed'));
  expect(sent('DELETE /api/admin/keap/required-tags-delete')).toHaveLength(1);
});

test('users: the columns, and what the CRM says of someone', async () => {
  await page.goto('/admin/users');
  await see(page.getByRole('heading', { name: 'User Management', level: 1 }));
  const table = page.getByRole('region', { name: 'Users' }).getByRole('table');
  await see(table);
  const headers = (await table.getByRole('columnheader').allInnerTexts()).map((text) => text.trim());
  expect(headers).toEqual(['Email', 'Role', 'Status', 'Last Login', 'CRM']);
  await checkAccessibility(page);
  const view = page.getByRole('button', { name: `View Keap Tags of ${user.email}` });
  await view.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'CRM Access' });
  await read(dialog, 'Overall access');
  await read(dialog, 'Denied');
  await see(dialog.getByLabel('Lacks it'));
  await checkAccessibility(page);
  expect(sent('GET /api/admin/keap/user-access')[0]?.query).toEqual({ email: user.email });
  await page.keyboard.press('Escape');
  await gone(dialog);
});

test('the CRM Access dialog says when it is checking, and when it cannot', async () => {
  visitor.expectFailure(/^502 GET \/api\/admin\/keap\/user-access$/);
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/admin/keap/user-access?*', async (route) => {
    await held;
    await route.fulfill({ status: 502, contentType: 'application/json', body: '{"success":false}' });
  });
  await page.reload();
  await page.getByRole('button', { name: `View Keap Tags of ${user.email}` }).click();
  const dialog = page.getByRole('dialog', { name: 'CRM Access' });
  await read(dialog, 'Checking…');
  answer();
  await read(dialog, 'Failed to load access status.');
  await page.keyboard.press('Escape');
  await gone(dialog);
});

test('an invitation needs an address, and is sent by keyboard', async () => {
  const card = region('Add User');
  await expect.poll(() => card.getByRole('button', { name: 'Send Invite' }).isDisabled()).toBe(true);
  await card.getByLabel('Email').focus();
  await page.keyboard.type('ivy@people.example');
  await tabTo(card.getByRole('button', { name: 'Send Invite' }));
  await page.keyboard.press('Enter');
  await see(toast(page, 'Invitation sent'));
  expect(sent('POST /api/admin/users/invite')[0]?.body).toEqual({ email: 'ivy@people.example', role: 'user' });
  expect((await journey.site.mailTo('ivy@people.example')).links.length).toBeGreaterThan(0);
});

test('role and status are changed in place, and the list is read again', async () => {
  const before = sent('GET /api/admin/users/list').length;
  await choose(page, page.getByLabel(`Role of ${user.email}`), 'Admin');
  await expect
    .poll(() => sent('POST /api/admin/users/set-role').map(({ body }) => body))
    .toEqual([{ user_id: user.userId, role: 'admin' }]);
  await expect.poll(() => sent('GET /api/admin/users/list').length).toBeGreaterThan(before);
  await choose(page, page.getByLabel(`Status of ${user.email}`), 'Disabled');
  await expect
    .poll(() => sent('POST /api/admin/users/set-status').map(({ body }) => body))
    .toEqual([{ user_id: user.userId, status: 'disabled' }]);
  await expect
    .poll(async () =>
      journey.db
        .selectFrom('app.profiles')
        .select(['role', 'status'])
        .where('user_id', '=', user.userId)
        .executeTakeFirst(),
    )
    .toEqual({ role: 'admin', status: 'disabled' });
});

test('Keap is disconnected by keyboard, after a question', async () => {
  // Without a connection there are no tags: they are read before it ends.
  const tags = page.waitForResponse((response) => response.url().includes('/api/admin/keap/tags'));
  await page.goto('/admin/settings');
  await tags;
  const card = region('OAuth connect');
  await card.getByRole('button', { name: 'Disconnect' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('alertdialog', { name: 'Disconnect Keap?' });
  await tabTo(dialog.getByRole('button', { name: 'Disconnect' }));
  await page.keyboard.press('Enter');
  await gone(dialog);
  await read(card, 'Not connected');
});

test('who is no admin reaches both pages and is refused by the server', async () => {
  // Admins of today need no tag; this person holds it.
  const member = await journey.person('member');
  const other = await journey.visit({ session: member });
  other.expectFailure(/^403 GET \/api\/admin\//);
  for (const path of ['/admin/users', '/admin/settings']) {
    await other.page.goto(path);
    await read(other.page, 'Administrators only');
  }
});
