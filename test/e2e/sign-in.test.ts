import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { checkAccessibility, setUpJourney } from './harness/journey.ts';
import { codeOf, linkOf, type Session } from './harness/site.ts';
import { arriveAt, focused, gone, read, see } from './harness/steps.ts';
import { PHONE } from './harness/visitor.ts';

const journey = setUpJourney();
let ada: Session;
beforeAll(async () => {
  ada = await journey.person('ada');
});

const signInPage = (page: Page) => page.getByRole('heading', { name: 'Sign in to Fairlead' });
const dashboard = (page: Page) => page.getByRole('heading', { name: 'Dashboard', level: 1 });

async function invite(name: string): Promise<string> {
  const email = `${name}@people.example`;
  await journey.db
    .insertInto('app.invitations')
    .values({ email, expires_at: new Date(Date.now() + 3_600_000) })
    .execute();
  return email;
}

/** Invites someone and asks for their link in the browser. */
async function askFor(page: Page, name: string): Promise<string> {
  const email = await invite(name);
  await page.goto('/login');
  await send(page, email);
  await read(page, 'Check your email for a magic link to sign in.');
  return email;
}

async function send(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send magic link' }).click();
}

test('the code of the mail signs in; a wrong one says so', async () => {
  const visitor = await journey.visit();
  const { page } = visitor;
  visitor.expectFailure(/^403 POST \/auth\/v1\/verify$/);
  const email = await askFor(page, 'carl');
  const code = codeOf(await journey.site.mailTo(email));
  const wrong = code === '000000' ? '000001' : '000000';
  await page.getByLabel('6-digit code').fill(wrong);
  await read(page, /That code is wrong or has expired/);
  await checkAccessibility(page);
  await page.getByLabel('6-digit code').fill(`${code.slice(0, 3)} ${code.slice(3)}`);
  await see(dashboard(page));
});

test('a link that was used, or is too old, says so and offers another way', async () => {
  const visitor = await journey.visit();
  const { page } = visitor;
  const email = await askFor(page, 'dora');
  const link = linkOf(await journey.site.mailTo(email));
  await page.goto(link);
  await see(dashboard(page));

  const second = await journey.visit();
  await second.page.goto(link);
  await read(second.page, 'This sign-in link no longer works');
  await checkAccessibility(second.page);
  await second.page.getByRole('button', { name: 'Send a new link' }).click();
  await see(second.page.getByRole('button', { name: 'Send magic link' }));

  const late = await askFor(second.page, 'late');
  await journey.db
    .updateTable('auth.one_time_tokens')
    .set({ expires_at: new Date(Date.now() - 1000), code_expires_at: new Date(Date.now() - 1000) })
    .execute();
  await second.page.goto(linkOf(await journey.site.mailTo(late)));
  await read(second.page, 'This sign-in link no longer works');
  second.expectFailure(/^403 POST \/auth\/v1\/verify$/);
  await second.page.getByLabel('Email').fill(late);
  await second.page.getByLabel('6-digit code').fill(codeOf(await journey.site.mailTo(late)));
  await second.page.getByRole('button', { name: 'Sign in with the code' }).click();
  await read(second.page, /That code is wrong or has expired/);
});

test('a link opened in another browser explains itself and takes the code', async () => {
  const visitor = await journey.visit();
  const email = await askFor(visitor.page, 'otto');
  const mail = await journey.site.mailTo(email);
  const other = await journey.visit();
  await other.page.goto(linkOf(mail));
  await read(other.page, 'This link was opened in another browser');
  await checkAccessibility(other.page);
  await other.page.getByLabel('Email').fill(email);
  await other.page.getByLabel('6-digit code').fill(codeOf(mail));
  await other.page.getByRole('button', { name: 'Sign in with the code' }).click();
  await see(dashboard(other.page));
});

test('strangers and the disabled are told so, and nothing is sent to them', async () => {
  const visitor = await journey.visit();
  const { page } = visitor;
  await page.goto('/login');
  await send(page, 'stranger@people.example');
  await read(page, 'Access denied. This email does not have the required access.');
  await checkAccessibility(page);
  const dan = await journey.person('dan');
  await journey.db.updateTable('app.profiles').set({ status: 'disabled' }).where('user_id', '=', dan.userId).execute();
  await send(page, dan.email);
  await read(page, 'Access denied. Please contact support if you believe this is an error.');
  await send(page, 'no address');
  await read(page, 'Enter an email address such as name@company.com.');
  const recipients = (await journey.site.mails()).map(({ to }) => to);
  expect(recipients).not.toContain('stranger@people.example');
  expect(recipients.filter((to) => to === dan.email)).toHaveLength(1);
});

test('asking again at once sends nothing else, and the link that was sent still signs in here', async () => {
  const visitor = await journey.visit();
  const { page } = visitor;
  const email = await askFor(page, 'hasty');
  const sentBefore = page.getByText(
    /^The last link was sent \d+ seconds? ago\. It still works, also in this browser\.$/,
  );
  // Counted in windows of ten seconds: the second time may fall into the next one, not the third as well.
  for (const _time of ['second', 'third']) {
    if (await sentBefore.isVisible()) break;
    await page.getByRole('button', { name: 'Use a different email' }).click();
    await send(page, email);
    await read(page, 'Check your email for a magic link to sign in.');
  }
  await see(sentBefore);
  await checkAccessibility(page);
  await page.goto(linkOf(await journey.site.mailTo(email)));
  await see(dashboard(page));
});

test('after the sign-in one is back where one came from, query and hash included', async () => {
  const visitor = await journey.visit();
  const { page } = visitor;
  const wanted = '/?view=archived&sort=name#my-lists';
  // Carl's requests are counted, and he has just asked for a link.
  const email = await invite('cleo');
  await page.goto(wanted);
  await arriveAt(page, '/login');
  await send(page, email);
  await read(page, 'Check your email for a magic link to sign in.');
  await page.goto(linkOf(await journey.site.mailTo(email)));
  await see(dashboard(page));
  await arriveAt(page, wanted);
  await page.goto('/login');
  await see(dashboard(page));
  await arriveAt(page, '/');
});

test('a session that ends while a page is open leaves its signed-out state, and the way in', async () => {
  const visitor = await journey.visit({ session: ada });
  const { page } = visitor;
  visitor.expectFailure(/^(401|403|400) (GET|POST) \/(rest|auth)\/v1|^401 (GET|POST) \/api\//);
  await page.goto('/settings');
  await see(page.getByRole('region', { name: 'SearchBug' }));
  const otherTab = await visitor.newTab();
  await otherTab.goto('/account');
  await otherTab.getByRole('button', { name: 'Logout' }).click();
  await see(signInPage(otherTab));
  await read(page, 'You are signed out');
  await gone(page.getByRole('region', { name: 'SearchBug' }));
  await checkAccessibility(page);
  await page.getByRole('link', { name: 'Go to Account' }).click();
  await page.waitForURL(/\/(account|login)$/);
  await see(page.getByRole('button', { name: 'Send magic link' }));
});

test('a session that was ended elsewhere is refused and leads back to the sign-in', async () => {
  const eve = await journey.person('eve');
  const visitor = await journey.visit({ session: eve });
  const { page } = visitor;
  visitor.expectFailure(/^(401 (GET|POST) \/(rest|api)|400 POST \/auth\/v1\/token|403 POST \/auth\/v1\/logout)/);
  await page.goto('/');
  await see(dashboard(page));
  await journey.db.deleteFrom('auth.sessions').where('user_id', '=', eve.userId).execute();
  await page.reload();
  await read(page, 'You are signed out');
  await page.goto('/settings');
  await see(signInPage(page));
});

test('a number is confirmed by keyboard, signs in by text message, and is removed', async () => {
  // One text a minute goes to a number.
  const forgetLimits = () => sql`delete from app.rate_limits`.execute(journey.db);
  const number = '+12175550142';
  const codeFor = async (count: number) => (await journey.site.mailTo(number, count)).text.slice(0, 6);
  await forgetLimits();
  const tina = await journey.person('tina');
  const { page } = await journey.visit({ session: tina });
  await page.goto('/account');
  await page.getByRole('button', { name: 'Add number…' }).focus();
  await page.keyboard.press('Enter');
  await focused(page.getByLabel('Phone number'));
  await page.keyboard.type(number);
  await page.keyboard.press('Enter');
  await focused(page.getByLabel('6-digit code'));
  await checkAccessibility(page);
  await page.keyboard.type(await codeFor(1));
  await page.keyboard.press('Enter');
  await focused(page.getByRole('button', { name: 'Change number…' }));
  const sessions = await journey.db
    .selectFrom('auth.sessions')
    .select('id')
    .where('user_id', '=', tina.userId)
    .execute();
  expect(sessions).toHaveLength(1);

  await forgetLimits();
  const elsewhere = await journey.visit({ viewport: PHONE });
  elsewhere.expectFailure(/^422 POST \/auth\/v1\/otp$/);
  await elsewhere.page.goto('/account');
  await elsewhere.page.getByRole('button', { name: 'Sign in by text message instead' }).click();
  await focused(elsewhere.page.getByLabel('Phone number'));
  await elsewhere.page.keyboard.type('+1 217 555 0143');
  await elsewhere.page.keyboard.press('Enter');
  await read(elsewhere.page, /This number cannot sign in/);
  await elsewhere.page.getByLabel('Phone number').fill(number);
  await elsewhere.page.keyboard.press('Enter');
  await focused(elsewhere.page.getByLabel('6-digit code'));
  await checkAccessibility(elsewhere.page);
  await elsewhere.page.keyboard.type(await codeFor(2));
  await see(elsewhere.page.getByRole('heading', { name: 'Account Settings' }));
  await elsewhere.page.getByRole('button', { name: 'Remove number' }).click();
  await elsewhere.page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await see(elsewhere.page.getByRole('button', { name: 'Add number…' }));
});
