import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { logCallEndpoint } from '#contract/calling/calls.ts';
import { addSuppressionEndpoint } from '#contract/calling/suppressions.ts';
import { setCallClock } from '#test/call-clock.ts';
import { buildCallSheet, HONOLULU, HOUR_MS, later, MINUTE_MS, NOON, nameOf, type Row, row } from '#test/call-sheets.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
let user: TestUser;
let other: TestUser;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  [user, other] = await Promise.all([product.user(), product.user()]);
});
beforeEach(async () => {
  // Those of a later hour would last longest.
  await product.db.deleteFrom('app.call_leases').execute();
  await setCallClock(product.db, NOON);
});

const buildSheet = (rows: Row[], { whose = user, sandbox = false } = {}) =>
  buildCallSheet(product.db, whose, rows, { sandbox });

test('leads come in the order of the list; blocked, unknown and unchecked ones never do', async () => {
  const silent = row('Silent');
  const sheet = await buildSheet([
    row('Listed', { compliance_status: 'dnc' }),
    row('First'),
    row('Never checked', { compliance_status: 'not_checked', compliance_checked_at: null }),
    row('Checked long ago', { compliance_checked_at: later(-32 * 24 * HOUR_MS) }),
    row('No state', { address: null }),
    row('Asleep', { address: HONOLULU, phone: '+1 808-555-0101' }),
    silent,
    row('No phone', { phone: null }),
    row('Second'),
  ]);
  await other.call(addSuppressionEndpoint, { kind: 'phone', value: silent.phone });
  await setCallClock(product.db, later(-3 * HOUR_MS));
  const tab = sheet.tab();
  const first = await tab.open();
  expect(first).toMatchObject({
    state: 'lead',
    practice: false,
    at: expect.any(String),
    counts: { left: 4, done: 0, callBacks: 0, unchecked: 2 },
    lead: { id: sheet.idOf('First'), mayCall: true, isTaken: false, callability: { verdict: 'callable' }, calls: [] },
  });
  await sheet.log('First', 'reached');
  expect(nameOf(await tab.open({ after: sheet.idOf('First') }))).toBe('Second');
  await sheet.log('Second', 'no_answer');
  const waiting = await tab.open({ after: sheet.idOf('Second') });
  expect(waiting).toMatchObject({
    state: 'waiting',
    nextAt: later(0).toISOString(),
    held: { callable: 0, not_now: 1, blocked: 0, review: 0, unknown: 1 },
    inUse: 0,
    counts: { left: 2, done: 2 },
  });
  await setCallClock(product.db, later(0));
  expect(nameOf(await tab.open())).toBe('Asleep');
});

test('"next" goes on behind the lead that was shown, and comes round to it at last', async () => {
  const sheet = await buildSheet([row('A'), row('B'), row('C')]);
  const tab = sheet.tab();
  const seen: string[] = [];
  let after: string | undefined;
  for (let count = 0; count < 4; count += 1) {
    const shown = await tab.open(after === undefined ? {} : { after });
    seen.push(nameOf(shown));
    after = sheet.idOf(seen.at(-1) ?? '');
  }
  expect(seen).toEqual(['A', 'B', 'C', 'A']);
});

test('"next" comes to every lead before it comes round, also past call-backs that are due', async () => {
  const sheet = await buildSheet(['A', 'B', 'C', 'D', 'E'].map((name) => row(name)));
  for (const name of ['A', 'B']) await sheet.log(name, 'call_back', { callBackAt: later(MINUTE_MS).toISOString() });
  await sheet.log('E', 'call_back', { callBackAt: later(10 * MINUTE_MS).toISOString() });
  await setCallClock(product.db, later(2 * MINUTE_MS));
  const tab = sheet.tab();
  const seen = [nameOf(await tab.open())];
  const next = async () => {
    const passed = [...new Set(seen.toReversed())].toReversed().map(sheet.idOf);
    seen.push(nameOf(await tab.open({ after: passed.at(-1) ?? '', passed })));
  };
  for (let count = 0; count < 2; count += 1) await next();
  // One that comes due meanwhile is next, before those that were not called yet.
  await setCallClock(product.db, later(11 * MINUTE_MS));
  for (let count = 0; count < 4; count += 1) await next();
  expect(seen).toEqual(['A', 'B', 'C', 'E', 'D', 'A', 'B']);
});

test('who is to be called back comes first once that time has come, and no sooner', async () => {
  const sheet = await buildSheet([row('A'), row('B'), row('C')]);
  await sheet.log('B', 'call_back', { callBackAt: later(HOUR_MS).toISOString() });
  const tab = sheet.tab();
  expect(nameOf(await tab.open())).toBe('A');
  await sheet.log('A', 'reached');
  await sheet.log('C', 'voicemail');
  const waiting = await tab.open();
  expect(waiting).toMatchObject({ state: 'waiting', nextAt: later(HOUR_MS).toISOString(), counts: { callBacks: 1 } });
  await setCallClock(product.db, later(HOUR_MS + MINUTE_MS));
  const due = await tab.open();
  expect(due).toMatchObject({ state: 'lead', lead: { businessName: 'B', dueAt: later(HOUR_MS).toISOString() } });
  await sheet.log('B', 'reached');
  expect(await tab.open()).toMatchObject({ state: 'done', counts: { left: 0, done: 3, callBacks: 0 } });
});

test('who was to be called back and may not be anymore is counted, with the reason', async () => {
  const sheet = await buildSheet([row('Expired'), row('Listed'), row('Later')]);
  for (const name of ['Expired', 'Listed'])
    await sheet.log(name, 'call_back', { callBackAt: later(MINUTE_MS).toISOString() });
  await sheet.log('Later', 'call_back', { callBackAt: later(5 * HOUR_MS).toISOString() });
  const change = (name: string, to: object) =>
    product.db.updateTable('leads').set(to).where('id', '=', sheet.idOf(name)).execute();
  await change('Expired', { compliance_checked_at: later(-40 * 24 * HOUR_MS) });
  await change('Listed', { compliance_status: 'dnc' });
  await change('Later', { compliance_status: 'litigator' });
  await setCallClock(product.db, later(2 * MINUTE_MS));
  expect(await sheet.tab().open()).toMatchObject({
    state: 'waiting',
    counts: { left: 0, callBacks: 3, unchecked: 1 },
    held: { blocked: 2 },
  });
});

test('a list without anyone to call says so', async () => {
  const sheet = await buildSheet([row('Listed', { compliance_status: 'litigator' }), row('No phone', { phone: null })]);
  expect(await sheet.tab().open()).toMatchObject({ state: 'empty', counts: { left: 0, done: 0, unchecked: 0 } });
});

test('two sheets never show the same number, also in lists of two people, until it is let go', async () => {
  const shared = row('Shared');
  const sheet = await buildSheet([shared, row('Next')]);
  const theirs = await buildSheet([{ ...shared, business_name: 'Shared too' }, row('Other')], { whose: other });
  const tabs = [sheet.tab(), sheet.tab()];
  const shown = await Promise.all([...tabs.map((tab) => tab.open()), theirs.tab().open()]);
  const numbers = shown.map((one) => (one.state === 'lead' ? one.lead.number : one.state));
  expect(new Set(numbers).size).toBe(3);

  const [holder, waits] = [sheet.tab(), sheet.tab()];
  for (const tab of tabs) await tab.leave();
  await setCallClock(product.db, later(10 * MINUTE_MS));
  expect(nameOf(await holder.open())).toBe('Shared');
  expect(nameOf(await waits.open())).toBe('Next');
  expect(await sheet.tab().open()).toMatchObject({ state: 'waiting', inUse: 2 });
  await expect(waits.begin(sheet.idOf('Shared'))).rejects.toMatchObject({ code: 'CONFLICT' });
  // Kept for as long as the sheet asks for it, and free two minutes after it has fallen silent.
  await setCallClock(product.db, later(11 * MINUTE_MS));
  expect(await holder.open({ keep: sheet.idOf('Shared') })).toMatchObject({ state: 'lead', lead: { isTaken: false } });
  await setCallClock(product.db, later(12.5 * MINUTE_MS));
  expect(nameOf(await sheet.tab().open())).toBe('Next');
  await setCallClock(product.db, later(13.5 * MINUTE_MS));
  expect(nameOf(await sheet.tab().open())).toBe('Shared');
  expect(await holder.open({ keep: sheet.idOf('Shared') })).toMatchObject({
    state: 'lead',
    lead: { isTaken: true, mayCall: false },
  });
});

test('a call without an outcome keeps its number from others, though its sheet has fallen silent', async () => {
  const shared = row('Shared');
  const [sheet, theirs] = [await buildSheet([shared]), await buildSheet([shared, row('Other')], { whose: other })];
  const [tab, waits] = [sheet.tab(), theirs.tab()];
  await tab.open();
  const id = randomUUID();
  await tab.begin(sheet.idOf('Shared'), id);
  await tab.leave();
  await setCallClock(product.db, later(10 * MINUTE_MS));
  expect(nameOf(await waits.open())).toBe('Other');
  expect(await waits.open({ after: theirs.idOf('Other') })).toMatchObject({ lead: { businessName: 'Other' } });
  expect(await waits.open({ keep: theirs.idOf('Shared') })).toMatchObject({ lead: { isTaken: true, mayCall: false } });
  await expect(waits.begin(theirs.idOf('Shared'))).rejects.toMatchObject({ code: 'CONFLICT' });
  // The device wakes up, on whichever sheet of the same person.
  expect(await sheet.tab().open()).toMatchObject({ lead: { businessName: 'Shared', isTaken: false, open: { id } } });
  await user.call(logCallEndpoint, { id, leadId: sheet.idOf('Shared'), outcome: 'no_answer' });
  await product.db.deleteFrom('app.call_leases').execute();
  expect(await waits.open({ keep: theirs.idOf('Shared') })).toMatchObject({ lead: { isTaken: false, mayCall: true } });
});

test('a call whose outcome no one ever says lets others go after twelve hours', async () => {
  const shared = row('Shared');
  const [sheet, theirs] = [await buildSheet([shared]), await buildSheet([shared], { whose: other })];
  await setCallClock(product.db, later(-3 * HOUR_MS));
  await sheet.tab().begin(sheet.idOf('Shared'));
  await setCallClock(product.db, later(8.5 * HOUR_MS));
  expect(await theirs.tab().open()).toMatchObject({ state: 'waiting', inUse: 1 });
  await setCallClock(product.db, later(9.5 * HOUR_MS));
  expect(nameOf(await theirs.tab().open())).toBe('waiting');
  await setCallClock(product.db, later(21 * HOUR_MS));
  expect(nameOf(await theirs.tab().open())).toBe('Shared');
});

test('one sheet keeps one number; leaving lets only one’s own go', async () => {
  const sheet = await buildSheet([row('A'), row('B')]);
  const session = randomUUID();
  const tab = sheet.tab(session);
  await tab.open();
  await tab.open({ after: sheet.idOf('A') });
  expect(nameOf(await sheet.tab().open())).toBe('A');
  await expect(sheet.tab(session, other).leave()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const own = await buildSheet([row('Mine')], { whose: other });
  expect(await own.tab(session).leave()).toEqual({ left: false });
  expect(await sheet.tab().open()).toMatchObject({ state: 'waiting', inUse: 2 });
  expect(await tab.leave()).toEqual({ left: true });
});

test('one person cannot keep a list from another by opening many sheets', async () => {
  const rows = Array.from({ length: 15 }, (_, at) => row(`Lead ${at}`));
  const [sheet, theirs] = [await buildSheet(rows), await buildSheet(rows, { whose: other })];
  for (const at of rows.keys()) {
    await setCallClock(product.db, later(at * 1_000));
    await theirs.tab().open();
  }
  const { inUse, ...found } = { inUse: 0, ...(await sheet.tab().open()) };
  expect([inUse, found.state]).toEqual([0, 'lead']);
});

test('a call without an outcome comes first when the sheet is opened again, whatever the hour', async () => {
  const sheet = await buildSheet([row('A'), row('B')]);
  const tab = sheet.tab();
  const id = randomUUID();
  await tab.open();
  await tab.open({ after: sheet.idOf('A') });
  await tab.begin(sheet.idOf('B'), id);
  await setCallClock(product.db, later(11 * HOUR_MS));
  const again = await sheet.tab().open();
  expect(again).toMatchObject({
    state: 'lead',
    lead: { businessName: 'B', mayCall: false, open: { id, outcome: null }, callability: { verdict: 'not_now' } },
  });
  await sheet.log('B', 'reached');
  await setCallClock(product.db, later(24 * HOUR_MS));
  expect(nameOf(await sheet.tab().open())).toBe('A');
});

test('a call that no one gave an outcome is not under way for days: it is counted, and logged as what it was', async () => {
  const shared = row('Silent');
  const sheet = await buildSheet([shared]);
  const elsewhere = await buildSheet([{ ...shared, business_name: 'Silent too' }]);
  const id = randomUUID();
  await sheet.tab().begin(sheet.idOf('Silent'), id);
  await setCallClock(product.db, later(5 * 24 * HOUR_MS));
  const tab = elsewhere.tab();
  expect(await tab.open()).toMatchObject({
    lead: { businessName: 'Silent too', mayCall: true, open: null, calls: [{ id, outcome: null, isOwn: true }] },
  });
  // Both count toward caps.
  await tab.begin(elsewhere.idOf('Silent too'));
  const today = expect.stringContaining(
    later(5 * 24 * HOUR_MS)
      .toISOString()
      .slice(0, 10),
  );
  expect(await tab.open({ keep: elsewhere.idOf('Silent too') })).toMatchObject({
    lead: { open: { calledAt: today }, calls: [{ calledAt: today }, { id }] },
  });
  await tab.leave();

  const own = sheet.tab();
  const old = { state: 'lead', counts: { left: 0, done: 0, open: 1 }, lead: { calls: [{}, { id, outcome: null }] } };
  expect(await own.open()).toMatchObject(old);
  expect(await own.open({ after: sheet.idOf('Silent') })).toMatchObject(old);
  await user.call(logCallEndpoint, { id, leadId: sheet.idOf('Silent'), outcome: 'voicemail' });
  const shown = await own.open();
  expect(shown).toMatchObject({ state: 'lead', counts: { open: 1 } });
  const open = (shown.state === 'lead' && shown.lead.open?.id) || '';
  await user.call(logCallEndpoint, { id: open, leadId: sheet.idOf('Silent'), outcome: 'reached' });
  expect(await own.open()).toMatchObject({ state: 'done', counts: { done: 1, open: 0 } });
});

test('a list is not done while a call from it has no outcome, though another sheet still has its lead', async () => {
  const sheet = await buildSheet([row('A'), row('B')]);
  const [closed, tab] = [sheet.tab(), sheet.tab()];
  const id = randomUUID();
  await closed.open();
  await closed.begin(sheet.idOf('A'), id);
  expect(nameOf(await tab.open())).toBe('B');
  await sheet.log('B', 'reached');
  const waiting = { state: 'waiting', nextAt: null, counts: { left: 0, done: 1, open: 1 } };
  expect(await tab.open({ after: sheet.idOf('B') })).toMatchObject(waiting);
  expect(await tab.open()).toMatchObject(waiting);
  await setCallClock(product.db, later(3 * MINUTE_MS));
  expect(await tab.open()).toMatchObject({ state: 'lead', lead: { businessName: 'A', open: { id } } });
});

test('a sandbox list is for practice: it hands out what a real list would, and never as callable', async () => {
  const sheet = await buildSheet([row('Invented'), row('Asleep', { address: HONOLULU })], { sandbox: true });
  await setCallClock(product.db, later(-3 * HOUR_MS));
  const tab = sheet.tab();
  expect(await tab.open()).toMatchObject({
    state: 'lead',
    practice: true,
    lead: { businessName: 'Invented', mayCall: true, callability: { verdict: 'unknown' } },
  });
  await sheet.log('Invented', 'reached');
  expect(await tab.open()).toMatchObject({ state: 'waiting', practice: true, nextAt: later(0).toISOString() });
});

test('no sheet opens another person’s list', async () => {
  const sheet = await buildSheet([row('A')]);
  await expect(sheet.tab(randomUUID(), other).open()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(sheet.tab(randomUUID(), other).open({ keep: sheet.idOf('A') })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  const own = await buildSheet([row('Mine')], { whose: other });
  expect(await own.tab().open({ keep: sheet.idOf('A') })).toMatchObject({ state: 'gone', number: null, call: null });
});

test('the next of thousands that must not be called now is still found', async () => {
  const asleep = Array.from({ length: 2_500 }, (_, at) =>
    row(`Asleep ${at}`, { address: HONOLULU, phone: `+1 808-555-01${String(at % 100).padStart(2, '0')}` }),
  );
  const sheet = await buildSheet([...asleep, row('Awake')]);
  await setCallClock(product.db, later(-3 * HOUR_MS));
  expect(nameOf(await sheet.tab().open())).toBe('Awake');
});
