import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { callSheetEndpoint, DIAL_OPEN_MS, logCallEndpoint } from '#contract/calling/calls.ts';
import { addCallingRuleEndpoint } from '#contract/calling/rules.ts';
import { VERDICT_DAYS } from '#contract/work/retention.ts';
import { setCallClock, tuesdayAt } from '#test/call-clock.ts';
import { buildListOf, readLeads } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

/** Noon in Chicago. */
const NOON = tuesdayAt(18);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const later = (ms: number) => new Date(NOON.getTime() + ms);
/** When a check of a number was made that runs out so much later, in ms. */
const runsOut = (ms: number) => later(ms - VERDICT_DAYS * DAY_MS);

let product: Product;
let user: TestUser;
let other: TestUser;
let admin: TestUser;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  [user, other, admin] = await Promise.all([product.user(), product.user(), product.admin()]);
});

/** Each lead has a number of its own: a call counts in every list that has its number. */
let numbers = 0;
const DALLAS = { area: 214, address: '1 Invented Street, Dallas, TX 75201, USA' };
const MIAMI = { area: 305, address: '1 Invented Street, Miami, FL 33101, USA' };
const CHEYENNE = { area: 307, address: '1 Invented Street, Cheyenne, WY 82001, USA' };

type Place = { area: number; address: string };
const build = async ({ area, address }: Place, more: object = {}, whose = user) => {
  numbers += 1;
  const phone = `+1 ${area}-555-0${100 + numbers}`;
  const checked = { compliance_status: 'safe', compliance_checked_at: later(-DAY_MS), phone_type: 'landline' };
  const rows = [{ business_name: 'Invented', phone, address, ...checked, ...more }];
  const listId = await buildListOf(product.db, whose.id, rows, { sandbox: false });
  const [lead] = await readLeads(product.db, listId);
  return { listId, phone, id: lead?.id ?? '' };
};
const open = (listId: string) => user.call(callSheetEndpoint, { session: randomUUID() }, { listId });
const log = (leadId: string, outcome: 'no_answer' | 'call_back', more: object = {}, whose = user) =>
  whose.call(logCallEndpoint, { id: randomUUID(), leadId, outcome, ...more });

test('a call-back at night is told for the morning, and not at all once its number is listed', async () => {
  await setCallClock(product.db, NOON);
  const { listId, id } = await build(DALLAS);
  await log(id, 'call_back', { callBackAt: later(15 * HOUR_MS).toISOString() });
  expect(await open(listId)).toMatchObject({ state: 'waiting', nextAt: later(21 * HOUR_MS).toISOString() });
  await product.db.updateTable('leads').set({ compliance_status: 'dnc' }).where('id', '=', id).execute();
  expect(await open(listId)).toMatchObject({ state: 'waiting', nextAt: null });
});

test('no call is told for a time when the check has run out', async () => {
  await setCallClock(product.db, later(11 * HOUR_MS));
  const { listId } = await build(DALLAS, { compliance_checked_at: runsOut(13 * HOUR_MS) });
  expect(await open(listId)).toMatchObject({ state: 'waiting', nextAt: null, held: { not_now: 1 } });
});

test('a call may begin until the hours end or the check runs out; where none may, nothing says so', async () => {
  await setCallClock(product.db, NOON);
  const checked = await build(DALLAS, { compliance_checked_at: runsOut(3 * MINUTE_MS) });
  expect(await open(checked.listId)).toMatchObject({
    lead: { mayCall: true, callability: { callTo: later(3 * MINUTE_MS).toISOString() } },
  });
  const { listId, id } = await build(MIAMI);
  const session = randomUUID();
  await user.call(callSheetEndpoint, { session }, { listId });
  for (let count = 0; count < 3; count += 1) await log(id, 'no_answer');
  const kept = await user.call(callSheetEndpoint, { session, keep: id }, { listId });
  // Within the hours, which end at 8 PM in Florida. The first of the calls counts for a day.
  expect(kept).toMatchObject({
    lead: { mayCall: false, callability: { verdict: 'not_now', window: { state: 'open' } } },
  });
  const from = kept.state === 'lead' ? Date.parse(kept.lead.callability.callFrom ?? '') : 0;
  expect(Math.abs(from - later(DAY_MS).getTime() - DIAL_OPEN_MS)).toBeLessThan(MINUTE_MS);
  await product.db.updateTable('leads').set({ compliance_status: 'dnc' }).where('id', '=', id).execute();
  const listed = await user.call(callSheetEndpoint, { session, keep: id }, { listId });
  expect(listed.state === 'lead' && listed.lead.callability).not.toHaveProperty('callTo');
});

test('when a cap of an own rule has room again is told by the hours of that time, and not beyond the check', async () => {
  const rule = { state: 'WY', days: [0, 1, 2, 3, 4, 5, 6], from: '08:00', to: '20:00', reason: 'Fewer calls.' };
  await admin.call(addCallingRuleEndpoint, { ...rule, cap: { calls: 1, hours: 10 } });
  // 6 PM in Wyoming: ten hours later it is 4 AM.
  await setCallClock(product.db, later(7 * HOUR_MS));
  const mine = await build(CHEYENNE);
  const theirs = await build(CHEYENNE, { phone: mine.phone }, other);
  await log(theirs.id, 'no_answer', {}, other);
  expect(await open(mine.listId)).toMatchObject({ state: 'waiting', nextAt: later(21 * HOUR_MS).toISOString() });
  await admin.call(addCallingRuleEndpoint, { ...rule, cap: { calls: 1, hours: 600 } });
  const days = await open(mine.listId);
  const at = days.state === 'waiting' ? Date.parse(days.nextAt ?? '') : 0;
  expect(Math.abs(at - later(7 * HOUR_MS + 25 * DAY_MS).getTime() - DIAL_OPEN_MS)).toBeLessThan(MINUTE_MS);
  const checked = { compliance_checked_at: runsOut(24 * DAY_MS) };
  await product.db.updateTable('leads').set(checked).where('id', '=', mine.id).execute();
  expect(await open(mine.listId)).toMatchObject({ state: 'waiting', nextAt: null });
});
