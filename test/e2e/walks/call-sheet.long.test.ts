import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { setCallClock, tuesdayAt } from '#test/call-clock.ts';
import { checkAccessibility, setUpJourney } from '#test/e2e/harness/journey.ts';
import { sideScroll } from '#test/e2e/harness/looks.ts';
import type { Session } from '#test/e2e/harness/site.ts';
import { arriveAt, focused, gone, read, see, tabTo } from '#test/e2e/harness/steps.ts';
import { PHONE } from '#test/e2e/harness/visitor.ts';
import { buildListOf, readLeads } from '#test/lists.ts';

const journey = setUpJourney();
const NOON = tuesdayAt(18);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let mara: Session;
let otto: Session;
beforeAll(async () => {
  [mara, otto] = await Promise.all([journey.person('mara'), journey.person('otto')]);
});
beforeEach(() => setCallClock(journey.db, NOON));

let made = 0;
const lead = (business_name: string, more = {}) => ({
  business_name,
  phone: `+1 217-555-01${String(made++ % 100).padStart(2, '0')}`,
  address: '12 Invented Street, Springfield, IL 62701, USA',
  website: 'https://calderstone.example',
  owner_name: 'Olive Abbersley',
  compliance_status: 'safe',
  compliance_checked_at: new Date(NOON.getTime() - 24 * HOUR_MS),
  phone_type: 'landline',
  ...more,
});
const build = (names: readonly string[], { sandbox = false, whose = mara } = {}) =>
  buildListOf(
    journey.db,
    whose.userId,
    names.map((name) => lead(name)),
    { name: 'Dentists', sandbox },
  );
const shows = (page: Page, name: string) => see(page.getByRole('heading', { level: 2, name, exact: true }));
const outcomes = async (listId: string) => {
  const calls = await journey.db
    .selectFrom('app.calls')
    .select(['outcome', 'note', 'verdict'])
    .where('list_id', '=', listId)
    .orderBy('logged_at')
    .execute();
  return calls.map(({ outcome, note, verdict }) => [outcome, note, verdict]);
};

test('a list is called by keys alone', async () => {
  const { page } = await journey.visit({ session: mara });
  const listId = await build(['Alder Dental', 'Birch Dental', 'Cedar Dental']);
  await page.goto(`/lists/${listId}`);
  await tabTo(page.getByRole('link', { name: 'Call Sheet' }));
  await page.keyboard.press('Enter');
  await arriveAt(page, `/lists/${listId}/calls`);
  await shows(page, 'Alder Dental');
  await read(page, '3 leads left · 0 done');
  await read(page, 'Callable now');
  await read(page, '12:00 PM CST');
  await read(page, '(815 ILCS 413/15)');
  await read(page, 'No one here has called this number before.');
  await checkAccessibility(page);

  await page.keyboard.press('c');
  await read(page, 'Call under way');
  await page.keyboard.press('e');
  await focused(page.getByLabel('Note'));
  await page.keyboard.type('Recalled in January, asks for a quote');
  await page.keyboard.press('Escape');
  await page.keyboard.press('r');
  await shows(page, 'Birch Dental');
  await focused(page.getByRole('heading', { name: 'Birch Dental' }));

  await page.keyboard.press('u');
  await shows(page, 'Alder Dental');
  await read(page, 'Call under way');
  await expect.poll(() => page.getByLabel('Note').inputValue()).toBe('Recalled in January, asks for a quote');
  await page.keyboard.press('v');
  await shows(page, 'Birch Dental');

  await page.keyboard.press('j');
  await shows(page, 'Cedar Dental');
  await page.keyboard.press('c');
  await read(page, 'Call under way');
  await page.keyboard.press('x');
  await see(page.getByRole('button', { name: 'Begin Call' }));
  await page.keyboard.press('a');
  // The lead that was passed over comes at last.
  await shows(page, 'Birch Dental');
  const note = 'Recalled in January, asks for a quote';
  expect(await outcomes(listId)).toEqual([
    ['voicemail', note, 'callable'],
    [null, null, 'callable'],
    ['no_answer', null, 'callable'],
  ]);
});

test('calling back, and suppressing, are asked for by keys as well', async () => {
  const { page } = await journey.visit({ session: mara });
  const listId = await build(['Dogwood Dental', 'Elm Dental', 'Elder Dental']);
  await page.goto(`/lists/${listId}/calls`);
  await shows(page, 'Dogwood Dental');
  await page.keyboard.press('b');
  await focused(page.getByLabel('Call back at (your time)'));
  await read(page, /^There: 1:0\d PM CST$/);
  await checkAccessibility(page);
  await page.keyboard.press('Enter');
  await shows(page, 'Elm Dental');

  await page.keyboard.press('d');
  const dialog = page.getByRole('alertdialog', { name: 'Never call this number again?' });
  await see(dialog);
  await checkAccessibility(page);
  await tabTo(dialog.getByRole('button', { name: 'Do Not Call' }));
  await page.keyboard.press('Enter');
  await shows(page, 'Elder Dental');
  await page.keyboard.press('w');
  await tabTo(page.getByRole('alertdialog').getByRole('button', { name: 'Wrong Number' }));
  await page.keyboard.press('Enter');
  await read(page, 'No one may be called now');
  await read(page, /^The next call may begin /);
  await checkAccessibility(page);
  expect((await outcomes(listId)).map(([outcome]) => outcome)).toEqual(['call_back', 'do_not_call', 'wrong_number']);
  const suppressed = await journey.db.selectFrom('app.suppressions').select(['source']).execute();
  expect(suppressed).toEqual([{ source: 'call' }, { source: 'call' }]);

  await page.keyboard.press('u');
  await read(page, 'The number stays suppressed');
  await shows(page, 'Elder Dental');
  await page.keyboard.press('?');
  await read(page.getByRole('dialog', { name: 'Keyboard shortcuts' }), 'Wrong number');
});

test('letters that are typed are no keys, and the keys can be switched off', async () => {
  const { page } = await journey.visit({ session: mara });
  const listId = await build(['Fir Dental', 'Ginkgo Dental']);
  await page.goto(`/lists/${listId}/calls`);
  await shows(page, 'Fir Dental');
  await page.getByLabel('Note').fill('');
  await page.getByLabel('Note').pressSequentially('bad cravats? jux');
  await page.reload();
  await shows(page, 'Fir Dental');
  await expect.poll(() => page.getByLabel('Note').inputValue()).toBe('bad cravats? jux');
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('?');
  await page.getByRole('switch', { name: 'Single-key shortcuts' }).click();
  await page.keyboard.press('Escape');
  await gone(page.getByRole('dialog'));
  await page.keyboard.press('c');
  await page.keyboard.press('r');
  await page.getByRole('button', { name: 'Reached' }).click();
  await shows(page, 'Ginkgo Dental');
  expect(await outcomes(listId)).toEqual([['reached', 'bad cravats? jux', 'callable']]);
});

test('offline nothing is lost: what was said waits in the browser and is sent once', async () => {
  const visitor = await journey.visit({ session: mara });
  const { page, context } = visitor;
  const listId = await build(['Hazel Dental', 'Iris Dental']);
  await page.goto(`/lists/${listId}/calls`);
  await shows(page, 'Hazel Dental');
  visitor.expectFailure(/net::ERR_INTERNET_DISCONNECTED/);
  visitor.expectFailure(/console: .*(WebSocket|ERR_INTERNET_DISCONNECTED)/);
  await context.setOffline(true);
  await page.keyboard.press('c');
  await read(page, 'It is not known whether a call was begun');
  await page.getByLabel('Note').fill('said yes');
  await page.keyboard.press('Escape');
  await page.keyboard.press('r');
  await read(page, '1 outcome not sent yet');
  await read(page, 'The next lead could not be loaded');
  await checkAccessibility(page);
  await page.reload().catch(() => undefined);
  await context.setOffline(false);
  await page.goto(`/lists/${listId}/calls`);
  await shows(page, 'Iris Dental');
  await gone(page.getByText('1 outcome not sent yet'));
  expect(await outcomes(listId)).toEqual([['reached', 'said yes', 'callable']]);
});

test('two tabs show two leads, and a closed sheet lets its lead go', async () => {
  const visitor = await journey.visit({ session: mara });
  const { page } = visitor;
  const listId = await build(['Juniper Dental', 'Linden Dental']);
  await page.goto(`/lists/${listId}/calls`);
  await shows(page, 'Juniper Dental');
  const other = await visitor.newTab();
  await other.goto(`/lists/${listId}/calls`);
  await shows(other, 'Linden Dental');
  await page.reload();
  await shows(page, 'Juniper Dental');
  const left = page.waitForResponse((response) => response.url().endsWith('/call-sheet/leave'));
  await page.getByRole('link', { name: 'Dentists' }).click();
  await left;
  await other.keyboard.press('j');
  await shows(other, 'Juniper Dental');
});

test('when the hours end, the sheet says so by itself and no call begins', async () => {
  const { page } = await journey.visit({ session: mara });
  const listId = await build(['Larch Dental']);
  // Illinois closes at 21:00, Chicago time, and no call begins in the last 30 seconds.
  const close = NOON.getTime() + 9 * HOUR_MS;
  await setCallClock(journey.db, new Date(close - 36_000));
  await page.goto(`/lists/${listId}/calls`);
  await shows(page, 'Larch Dental');
  await read(page, 'Calls may begin until 8:59 PM CST.');
  await read(page, 'Not now');
  await read(page, 'No call may begin now.');
  await expect.poll(() => page.getByRole('button', { name: 'Begin Call' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'No answer' }).click();
  await read(page, 'All leads of this list are called');
  expect(await outcomes(listId)).toEqual([['no_answer', null, 'not_now']]);
});

test('a call is dialed once; each further dial is a call of its own, and there is none once the number is suppressed', async () => {
  const visitor = await journey.visit({ session: mara });
  const { page } = visitor;
  visitor.expectFailure(/tel:/);
  const listId = await build(['Olive Dental', 'Pear Dental']);
  await page.goto(`/lists/${listId}/calls`);
  await shows(page, 'Olive Dental');
  const dial = page.getByRole('button', { name: /^\+1 [\d-]+$/ });
  await see(dial);
  await page.keyboard.press('c');
  await read(page, 'Call under way');
  await dial.click();
  await gone(dial);
  // The sheet asks again after each call: what that answers must not yet know of the suppression.
  const asked = page.waitForResponse((response) => response.url().endsWith('/call-sheet'));
  await page.getByRole('button', { name: 'Call Again' }).click();
  await asked;
  await see(dial);
  const number = (await dial.innerText()).replaceAll(/[ -]/g, '');
  const key = `phone:${number}`;
  await journey.db.insertInto('app.suppressions').values({ key, kind: 'phone', source: 'hand' }).execute();
  await dial.click();
  await read(page, 'The number was not dialed');
  await read(page, 'Blocked');
  await gone(dial);
  await expect.poll(() => page.getByRole('button', { name: 'Call Again' }).isDisabled()).toBe(true);
  expect(await outcomes(listId)).toEqual([
    [null, null, 'callable'],
    [null, null, 'callable'],
  ]);
  await checkAccessibility(page);
});

test('a lead that is moved during its call stays on the sheet until the call has its outcome', async () => {
  const { page } = await journey.visit({ session: mara });
  const listId = await build(['Quince Dental', 'Rowan Dental']);
  const elsewhere = await build(['Sorrel Dental']);
  await page.goto(`/lists/${listId}/calls`);
  await shows(page, 'Quince Dental');
  await page.keyboard.press('c');
  await read(page, 'Call under way');
  const [first] = await readLeads(journey.db, listId);
  const moved = await page.request.post(`/api/lists/${listId}/leads/copy`, {
    headers: { authorization: `Bearer ${mara.accessToken}` },
    data: { lead_ids: [first?.id], to: { list_id: elsewhere }, remove: true },
  });
  expect(moved.ok()).toBe(true);
  await read(page, 'This lead left the list');
  await shows(page, 'Quince Dental');
  await checkAccessibility(page);
  await page.reload();
  await read(page, 'It was moved or deleted during your call. Say how the call ended.');
  await page.keyboard.press('r');
  await shows(page, 'Rowan Dental');
  expect(await outcomes(listId)).toEqual([['reached', null, 'callable']]);
  await page.goto(`/lists/${elsewhere}/calls`);
  await read(page, '1 lead left · 1 done');
});

test('a sandbox list is for practice, on a phone too', async () => {
  const { page } = await journey.visit({ session: otto, viewport: PHONE });
  const listId = await build(['Maple Dental'], { sandbox: true, whose: otto });
  await page.goto(`/lists/${listId}/calls`);
  await shows(page, 'Maple Dental');
  await read(page, 'These numbers are invented and must not be called.');
  expect(await page.getByRole('button', { name: /^\+1 [\d-]+$/ }).count()).toBe(0);
  await checkAccessibility(page);
  await page.getByRole('button', { name: 'Begin Practice Call' }).click();
  await read(page, 'Practice call under way');
  await page.getByRole('button', { name: 'Do not call' }).click();
  await read(page, /This is practice/);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Do Not Call' }).click();
  await read(page, 'All leads of this list are called');
  expect(await outcomes(listId)).toEqual([['do_not_call', null, 'unknown']]);
});

test('long words of a list, a lead and a note do not widen the sheet of a phone', async () => {
  const { page } = await journey.visit({ session: otto, viewport: PHONE });
  const long = 'unbroken'.repeat(12);
  const row = lead(long, { owner_name: long, website: `https://calderstone.example/?from=${long}` });
  const listId = await buildListOf(journey.db, otto.userId, [row], { name: long, sandbox: false });
  await page.goto(`/lists/${listId}/calls`);
  await shows(page, long);
  await page.getByLabel('Note').fill(long);
  await page.getByRole('button', { name: 'Call back' }).click();
  await page.getByRole('button', { name: 'In 1 hour' }).click();
  await page.getByRole('button', { name: 'Save Call Back' }).click();
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  await setCallClock(journey.db, new Date(NOON.getTime() + 2 * HOUR_MS));
  await page.reload();
  await see(page.getByRole('region', { name: 'Earlier calls' }).getByText(long));
  expect(await sideScroll(page)).toBe(0);
});

test('a list of someone else is not found, and one without numbers says so', async () => {
  const visitor = await journey.visit({ session: otto });
  const { page } = visitor;
  visitor.expectFailure(/404 POST .*call-sheet/);
  await page.goto(`/lists/${await build(['Nutmeg Dental'])}/calls`);
  await read(page, 'List not found');
  const unchecked = await buildListOf(journey.db, otto.userId, [lead('Oak', { compliance_status: 'not_checked' })], {
    sandbox: false,
  });
  await page.goto(`/lists/${unchecked}/calls`);
  await read(page, 'There is no one to call');
  await read(page, /1 number not checked against the lists/);
});
