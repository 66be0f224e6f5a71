import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { TOTP } from 'otpauth';
import { beforeAll, expect, test } from 'vitest';
import { checkAccessibility, setUpJourney } from '#test/e2e/harness/journey.ts';
import { linkOf, type Session } from '#test/e2e/harness/site.ts';
import { arriveAt, focused, gone, read, see, tabTo } from '#test/e2e/harness/steps.ts';
import { PHONE } from '#test/e2e/harness/visitor.ts';
import { buildListOf } from '#test/lists.ts';

const journey = setUpJourney({ env: { ADMIN_EMAILS: 'ada@people.example' } });
let session: Session;

beforeAll(async () => {
  session = await journey.person('vera');
});

test('all that is stored can be taken along', async () => {
  await buildListOf(journey.db, session.userId, [{ business_name: 'Hill & Daughter' }], { name: 'mine' });
  const { page } = await journey.visit({ session });
  await page.goto('/account');
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download my data' }).click();
  const file = await coming;
  expect(file.suggestedFilename()).toMatch(/^fairlead-data-\d{4}-\d\d-\d\d\.json$/);
  const text = await readFile(await file.path(), 'utf8');
  expect(JSON.stringify(JSON.parse(text))).toContain('Hill & Daughter');
});

test('an address is changed by both mailboxes, wherever their links are opened', async () => {
  const mover = await journey.person('moira');
  const { page } = await journey.visit({ session: mover });
  await page.goto('/account');
  await page.getByRole('button', { name: 'Change address…' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Change address' });
  await see(dialog);
  await checkAccessibility(page);
  await page.keyboard.type('moira@pier.example');
  await page.keyboard.press('Enter');
  await gone(dialog);
  await read(page, 'Waiting for both mailboxes');
  await checkAccessibility(page);

  const phone = await journey.visit({ viewport: PHONE });
  await phone.page.goto(linkOf(await journey.site.mailTo('moira@pier.example')));
  await arriveAt(phone.page, '/login');
  await read(phone.page, 'This mailbox is confirmed');

  await page.goto(linkOf(await journey.site.mailTo(mover.email, 2)));
  await arriveAt(page, '/account');
  await read(page, 'Your address has changed');
  await see(page.getByRole('region', { name: 'Authentication' }).getByText('moira@pier.example'));
  await gone(page.getByText('Waiting for both mailboxes'));
  const open = await journey.db.selectFrom('auth.sessions').select('id').where('user_id', '=', mover.userId).execute();
  expect(open).toHaveLength(1);
});

test('two-step sign-in is set up by keyboard, and asked for after the next link', async () => {
  // No one signs in twice within ten seconds; here the second time, or a second try, may come sooner.
  const forgetLimits = () => sql`delete from app.rate_limits`.execute(journey.db);
  await forgetLimits();
  const first = await journey.person('tess');
  const visitor = await journey.visit({ session: first });
  // What GoTrue answers about someone who has no recovery codes yet.
  visitor.expectFailure(/^404 GET \/auth\/v1\/factors\/recovery-codes$/);
  const { page } = visitor;
  await page.goto('/account');
  const card = page.getByRole('region', { name: 'Two-step sign-in' });
  await card.getByRole('button', { name: 'Set up an authenticator app' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Set up two-step sign-in' });
  await focused(dialog.getByLabel('6-digit code'));
  await checkAccessibility(page);
  const secret = (await dialog.locator('code').innerText()).replaceAll(' ', '');
  await page.keyboard.type(new TOTP({ secret }).generate());
  await page.keyboard.press('Enter');
  await see(card.getByText('On', { exact: true }));
  await checkAccessibility(page);

  await forgetLimits();
  const again = await journey.visit({ session: await journey.site.signIn(first.email), viewport: PHONE });
  again.expectFailure(/^404 GET \/auth\/v1\/factors\/recovery-codes$/);
  await again.page.goto('/account');
  await focused(again.page.getByLabel('6-digit code'));
  await checkAccessibility(again.page);
  await again.page.keyboard.type(new TOTP({ secret }).generate({ timestamp: Date.now() + 30_000 }));
  await see(again.page.getByRole('heading', { name: 'Account Settings' }));
});

test('an account is deleted by keyboard, with everything in it', async () => {
  const visitor = await journey.visit({ session });
  // Its session is gone with it.
  visitor.expectFailure(/^40[13] POST \/auth\/v1\/logout/);
  const { page } = visitor;
  await page.goto('/account');
  await page.getByRole('button', { name: 'Delete account' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Delete account' });
  await tabTo(dialog.getByRole('textbox'));
  await page.keyboard.type('someone@else.example');
  await page.keyboard.press('Enter');
  await read(dialog, 'That is not the email address of your account. Type it exactly as shown above.');
  await checkAccessibility(page);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(session.email);
  await page.keyboard.press('Enter');
  await gone(dialog);
  await arriveAt(page, '/login');
  await read(page, 'Your account is deleted');
  const left = await journey.db.selectFrom('lists').select('id').where('user_id', '=', session.userId).execute();
  expect(left).toEqual([]);
});
