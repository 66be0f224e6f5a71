import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { checkAccessibility, setUpJourney } from '#test/e2e/harness/journey.ts';
import { download, gone, read, see, toast } from '#test/e2e/harness/steps.ts';
import { buildListOf, readCalls } from '#test/lists.ts';

const journey = setUpJourney();

/** A list of plumbers with these numbers, each once; $0.02 to check each of them. */
const plumbers = (userId: string, name: string, lastDigits: readonly string[]) =>
  buildListOf(
    journey.db,
    userId,
    lastDigits.map((digits) => ({ business_name: `Plumber ${digits}`, phone: `+1 512-555-${digits}` })),
    { name },
  );
const TWELVE = Array.from({ length: 12 }, (_, index) => `01${10 + index}`);
/** More than are asked at once. The sandbox knows all of them. */
const MANY = ['00', '01'].flatMap((first) =>
  Array.from({ length: 90 }, (_, index) => `${first}${String(index).padStart(2, '0')}`),
);

async function check(page: Page, listId: string, spendAtMost = ''): Promise<void> {
  await page.goto(`/lists/${listId}`);
  await page.getByRole('button', { name: 'Check Compliance' }).click();
  const dialog = page.getByRole('alertdialog');
  await read(dialog, 'You will be charged at most');
  await dialog.getByLabel('Spend at most').fill(spendAtMost);
  await dialog.getByRole('button', { name: 'Check Compliance' }).click();
  await gone(dialog);
}

const answered = async (userId: string) =>
  (await readCalls(journey.db, userId)).filter(({ state }) => state === 'answered');

test('a check is cancelled, what it found stays and can be exported, and only the rest is paid for later', async () => {
  const session = await journey.person('canceller');
  await journey.site.connect(session, 'searchbug', 'sandbox-canceller-slow');
  const listId = await plumbers(session.userId, 'Plumbers', MANY);
  const visitor = await journey.visit({ session });
  visitor.expectFailure(/^409 POST \/api\/compliance$/);
  const { page } = visitor;
  await check(page, listId);
  await page.getByRole('button', { name: 'Details' }).click();
  const panel = page.getByRole('dialog', { name: 'Compliance check' });
  await panel.getByRole('button', { name: /^Cancel/ }).click();
  const sure = page.getByRole('alertdialog', { name: 'Cancel the compliance check?' });
  await sure.getByRole('button', { name: 'Cancel compliance check' }).dblclick();
  await see(panel.getByText('Canceled', { exact: true }));
  await checkAccessibility(page);
  const found = (await answered(session.userId)).length;
  expect(found).toBeGreaterThan(0);
  expect(found).toBeLessThan(MANY.length);
  await read(panel, `${found} of ${MANY.length} unique numbers checked`);

  await page.goBack();
  await gone(panel);
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('radio', { name: /^All numbers/ }).click();
  const { text } = await download(page, () => page.getByRole('button', { name: 'Download CSV' }).click());
  expect(text.match(/,(safe|dnc|litigator|clean|tcpa_litigator)\b/g)).toHaveLength(found);

  await journey.site.connect(session, 'searchbug', 'sandbox-canceller');
  await page.getByRole('button', { name: 'Show runs' }).click();
  await panel.getByRole('button', { name: 'Finish the rest' }).click();
  const rest = page.getByRole('alertdialog', { name: 'Finish the rest of the compliance check?' });
  await read(rest, `${MANY.length - found} US numbers to check · ${found} already known`);
  await rest.getByRole('button', { name: 'Finish the rest' }).click();
  await see(toast(page, 'Compliance check complete'));
  const subjects = (await answered(session.userId)).map(({ subject }) => subject);
  expect(subjects.toSorted()).toEqual(MANY.map((digits) => `512555${digits}`));
});

test('a lost answer says what it may have cost until someone settles it by hand', async () => {
  const session = await journey.person('settler');
  await journey.site.connect(session, 'searchbug', '1234567:sandbox-settler-malformed-later');
  const listId = await plumbers(session.userId, 'Plumbers', ['0110']);
  const visitor = await journey.visit({ session });
  visitor.expectFailure(/^(4|5)\d\d POST \/api\/compliance$/);
  const { page } = visitor;
  await check(page, listId);
  await read(page, '1 with a lost result');
  await page.getByRole('button', { name: 'Show runs' }).click();
  const panel = page.getByRole('dialog', { name: 'Compliance check' });
  await read(panel, 'One response was lost');
  expect(await panel.getByRole('button', { name: 'Finish the rest' }).count()).toBe(0);
  await read(panel, /^\$0\.02 may have been charged, and counts as spent until you settle it/);
  await panel.getByRole('button', { name: /^Settle \+1 512-/ }).click();
  await checkAccessibility(page);
  await page.getByRole('button', { name: 'It was not charged' }).dblclick();
  await read(panel, 'Settled: not charged');
  await gone(panel.getByText('One response was lost'));
  expect(await readCalls(journey.db, session.userId)).toMatchObject([{ state: 'failed', cost_micros: 0 }]);

  await journey.site.connect(session, 'searchbug', 'sandbox-settler');
  await panel.getByRole('button', { name: 'Finish the rest' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Finish the rest' }).click();
  await see(toast(page, 'Compliance check complete'));
  expect(await answered(session.userId)).toMatchObject([{ cost_micros: 20_000 }]);
});

test('a budget refuses a check before anything is paid and says what to do; with less to spend it starts and stops there', async () => {
  const session = await journey.person('saver');
  await journey.site.connect(session, 'searchbug', 'sandbox-saver');
  const listId = await plumbers(session.userId, 'Plumbers', TWELVE);
  const visitor = await journey.visit({ session });
  visitor.expectFailure(/^409 POST \/api\/compliance$/);
  const { page } = visitor;
  await page.goto('/settings#budgets');
  const limit = page.getByLabel('Each run');
  await limit.fill('five cents');
  await limit.press('Enter');
  await read(page, 'Enter an amount in dollars, such as 25 or 12.50.');
  await limit.fill('$0.05');
  await limit.press('Enter');
  await see(toast(page, 'Budgets saved'));

  await check(page, listId);
  await see(
    toast(page, /This run may cost \$0\.24.*more than the \$0\.05.*Set a lower limit for it, or raise the limit/),
  );
  expect(await readCalls(journey.db, session.userId)).toEqual([]);
  await checkAccessibility(page);

  await check(page, listId, '0.05');
  await see(toast(page, /Stopped at its limit.*What was found so far is kept/));
  await read(page, '1 run · $0.04 spent');
  expect(await answered(session.userId)).toHaveLength(2);
});
