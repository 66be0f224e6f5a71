import { expect, test } from 'vitest';
import { checkAccessibility, setUpJourney } from '#test/e2e/harness/journey.ts';
import { codeOf } from '#test/e2e/harness/site.ts';
import { arriveAt, focused, gone, see, tabTo } from '#test/e2e/harness/steps.ts';
import { DESKTOP, PHONE } from '#test/e2e/harness/visitor.ts';

// Their first person administers, and cannot leave alone.
const journey = setUpJourney({ env: { ADMIN_EMAILS: 'ada@people.example' } });

const passTime = (userId: string) =>
  journey.db
    .updateTable('auth.sessions')
    .set({ created_at: new Date(Date.now() - 16 * 60_000), proven_at: null })
    .where('user_id', '=', userId)
    .execute();

test.each([
  ['a phone', PHONE, 'dark'],
  ['a desktop', DESKTOP, 'light'],
] as const)(
  'an account is deleted once its owner has confirmed who they are, by keyboard, on %s',
  async (_on, viewport, theme) => {
    const session = await journey.person(`rosa-${theme}`);
    await passTime(session.userId);
    const visitor = await journey.visit({ session, viewport, theme });
    visitor.expectFailure(/^403 DELETE \/api\/account/);
    visitor.expectFailure(/^422 PUT \/auth\/v1\/user/);
    visitor.expectFailure(/^40[13] POST \/auth\/v1\/logout/);
    const { page } = visitor;
    await page.goto('/account');
    await page.getByRole('button', { name: 'Delete account' }).focus();
    await page.keyboard.press('Enter');
    await tabTo(page.getByRole('dialog', { name: 'Delete account' }).getByRole('textbox'));
    await page.keyboard.type(session.email);
    await page.keyboard.press('Enter');

    const question = page.getByRole('dialog', { name: 'Confirm it’s you' });
    await focused(question.getByLabel('6-digit code'));
    await see(question.getByText(/We emailed a code to/));
    await checkAccessibility(page);
    const box = await question.boundingBox();
    expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 0) <= viewport.width).toBe(true);
    const code = codeOf(await journey.site.mailTo(session.email, 2));
    await page.keyboard.type(code === '000000' ? '000001' : '000000');
    await see(question.getByText(/That code is wrong or has expired/));
    await checkAccessibility(page);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(code);
    await gone(question);
    await arriveAt(page, /^\/login/);
    const left = await journey.db
      .selectFrom('app.profiles')
      .select('user_id')
      .where('user_id', '=', session.userId)
      .execute();
    expect(left).toEqual([]);
  },
);
