import { beforeAll, expect, test } from 'vitest';
import { judgeCall } from '#calling/verdict.ts';
import { buildListOf } from '#test/lists.ts';
import { checkAccessibility, setUpJourney } from './harness/journey.ts';
import { sideScroll } from './harness/looks.ts';
import type { Session } from './harness/site.ts';
import { read, see, toast } from './harness/steps.ts';
import { PHONE, SMALL_PHONE } from './harness/visitor.ts';

const ADMIN = 'admin@people.example';
const journey = setUpJourney({ env: { ADMIN_EMAILS: ADMIN } });
const CHECKED = { compliance_status: 'safe', compliance_checked_at: new Date(), phone_type: 'landline' };
const ADDRESSES = {
  '+1 217-555-0100': '1 Invented Street, Springfield, IL 62701, USA',
  '+1 808-555-0101': '1 Invented Street, Honolulu, HI 96813, USA',
};

let mara: Session;
let listId: string;
beforeAll(async () => {
  mara = await journey.person('mara');
  const leads = Object.entries(ADDRESSES).map(([phone, address], index) => ({
    business_name: `Open or closed ${index}`,
    phone,
    address,
    ...CHECKED,
  }));
  listId = await buildListOf(
    journey.db,
    mara.userId,
    [
      {
        business_name: 'Listed',
        phone: '+1 217-555-0102',
        address: ADDRESSES['+1 217-555-0100'],
        ...CHECKED,
        compliance_status: 'dnc',
      },
      { business_name: 'Never checked', phone: '+1 217-555-0103', address: ADDRESSES['+1 217-555-0100'] },
      ...leads,
    ],
    { name: 'To call', sandbox: false, compliance_checked: true },
  );
});

/** What must be said of a checked landline now. */
const verdictOf = (phone: keyof typeof ADDRESSES) =>
  judgeCall({
    phone: phone.replaceAll(/[ -]/g, ''),
    address: ADDRESSES[phone],
    line: 'landline',
    scrub: { status: 'safe', expired: false },
    at: Date.now(),
  }).verdict;

test('someone sees who may be called now and why, filters by it, and exports it', async () => {
  const { page } = await journey.visit({ session: mara });
  await page.goto(`/lists/${listId}`);
  const table = page.getByRole('table');
  const callable = Object.keys(ADDRESSES).filter((phone) => verdictOf(phone as keyof typeof ADDRESSES) === 'callable');
  await see(page.getByRole('columnheader', { name: 'Call', exact: true }));
  await see(table.getByRole('row', { name: /Listed/ }).getByText('Blocked'));
  await see(table.getByRole('row', { name: /Never checked/ }).getByText('Unknown'));
  const session = page.getByRole('region', { name: 'Calls today' });
  await read(session, /1 blocked · .*1 unknown/);
  if (callable.length > 0) await read(session, new RegExp(`^${callable.length} now`));
  await checkAccessibility(page);

  await session.getByRole('button', { name: 'Callable now first' }).click();
  await page.waitForURL(/sort=call\.asc/);
  await expect.poll(async () => (await table.getByRole('row').last().innerText()).includes('Listed')).toBe(true);

  await page.goto(`/lists/${listId}?call=blocked`);
  await see(page.getByRole('button', { name: 'Remove filter: Call: Blocked' }));
  await read(page, '1 lead matches');
  await page.getByRole('button', { name: 'Listed', exact: true }).click();
  const panel = page.getByRole('dialog', { name: 'Listed' }).getByRole('region', { name: 'Call' });
  await read(panel, 'Do not call.');
  await read(panel, '815 ILCS 413/15');
  await read(panel, 'America/Chicago');
  await read(panel, 'Have counsel review the table of rules');
  await panel.getByText('What was not checked').click();
  await read(panel, /Reassigned Numbers Database/);
  await checkAccessibility(page);
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Export leads' });
  await dialog.getByRole('radio', { name: 'Callable soon' }).click();
  await see(dialog.getByRole('combobox', { name: 'Within' }));
  await checkAccessibility(page);
});

test('on a phone the icon of the counts stands beside their words', async () => {
  const { page } = await journey.visit({ session: mara, viewport: PHONE });
  const unchecked = { business_name: 'Never checked', phone: '+1 217-555-0104' };
  const id = await buildListOf(journey.db, mara.userId, [unchecked], {
    name: 'Unchecked',
    sandbox: false,
    compliance_checked: true,
  });
  await page.goto(`/lists/${id}`);
  const session = page.getByRole('region', { name: 'Calls today' });
  await read(session, 'Nothing can be called yet. Check compliance first.');
  const [icon, words] = await Promise.all([
    session.locator('svg').boundingBox(),
    session.getByRole('status').boundingBox(),
  ]);
  expect(words?.y).toBeLessThan((icon?.y ?? 0) + (icon?.height ?? 0));
  expect(await sideScroll(page)).toBe(0);
});

test('an administrator says who is protected and adds a stricter rule; a looser one is refused in words', async () => {
  const session = await journey.site.signIn(ADMIN);
  const visitor = await journey.visit({ session, viewport: SMALL_PHONE });
  const { page } = visitor;
  await page.goto('/admin/calling-rules');
  const scope = page.getByRole('region', { name: 'Who is protected' });
  await scope.getByRole('radio', { name: 'Verified business landlines' }).click();
  await scope.getByRole('button', { name: 'Save' }).click();
  await read(scope, 'Say why, in a few words.');
  await scope.getByLabel('Reason').fill('Each line was called and answered by a firm');
  await scope.getByRole('button', { name: 'Save' }).click();
  await read(scope, ADMIN);

  const form = page.getByRole('form', { name: 'Add a rule' });
  visitor.expectFailure(/\/api\/admin\/calling-rules$/);
  await form.getByLabel('State').fill('fl');
  await form.getByLabel('To', { exact: true }).fill('21:00');
  await form.getByLabel('Reason').fill('Evenings are free');
  await form.getByRole('button', { name: 'Add rule' }).click();
  await read(form, '9:00 PM is later than 8:00 PM, when F.S. §501.616(6) ends them.');
  await form.getByLabel('To', { exact: true }).fill('16:30');
  await form.getByRole('button', { name: 'Add rule' }).click();
  await see(toast(page, 'Rule added'));
  const rules = page.getByRole('list', { name: 'Own rules' });
  await read(rules, 'FL: 9:00 AM–4:30 PM Mon, Tue, Wed, Thu, Fri');
  expect(await sideScroll(page)).toBe(0);
  await checkAccessibility(page);

  await rules.getByRole('button', { name: /^End FL/ }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByLabel('Reason').fill('The team grew');
  await dialog.getByRole('button', { name: 'End rule' }).click();
  await read(rules, 'Ended');
});
