import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { leadCallsEndpoint, logCallEndpoint } from '#contract/calling/calls.ts';
import { copyLeadsEndpoint } from '#contract/work/move-leads.ts';
import { setCallClock } from '#test/call-clock.ts';
import { buildCallSheet, HOUR_MS, later, MINUTE_MS, NOON, type Row, row } from '#test/call-sheets.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
let user: TestUser;
let other: TestUser;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  [user, other] = await Promise.all([product.user(), product.user()]);
});
beforeEach(async () => {
  await product.db.deleteFrom('app.call_leases').execute();
  await setCallClock(product.db, NOON);
});

const build = (rows: Row[], whose = user) => buildCallSheet(product.db, whose, rows);
const callsOf = (id: string) => product.db.selectFrom('app.calls').selectAll().where('id', '=', id).executeTakeFirst();

test.each([
  ['merged', { archive: true }],
  ['moved', { remove: true }],
  ['copied', {}],
])('what was said of leads that are %s holds in the other list', async (_how, how) => {
  const [reached, back, silent] = [row('Reached'), row('Back'), row('Silent')];
  const [from, into] = [await build([reached, back, silent]), await build([row('New')])];
  const { call } = await from.log('Reached', 'reached', { note: 'not interested' });
  await from.log('Back', 'call_back', { callBackAt: later(3 * HOUR_MS).toISOString() });
  const id = randomUUID();
  await from.tab().begin(from.idOf('Silent'), id);
  await user.call(copyLeadsEndpoint, { to: { list_id: into.listId }, ...how }, { listId: from.listId });
  await product.db.deleteFrom('app.call_leases').execute();
  const tab = into.tab();
  const open = await tab.open();
  expect(open).toMatchObject({
    counts: { left: 1, done: 1, callBacks: 1, open: 1 },
    lead: { businessName: 'Silent', open: { id } },
  });
  const shown = open.state === 'lead' ? open.lead.id : '';
  await user.call(logCallEndpoint, { id, leadId: shown, outcome: 'voicemail' });
  const after = await tab.open({ after: shown });
  expect(after).toMatchObject({ counts: { left: 1, done: 2, open: 0 }, lead: { businessName: 'New' } });
  await into.log('New', 'reached');
  expect(await tab.open()).toMatchObject({ state: 'waiting', nextAt: later(3 * HOUR_MS).toISOString() });
  await setCallClock(product.db, later(4 * HOUR_MS));
  expect(await tab.open()).toMatchObject({
    lead: { businessName: 'Back', dueAt: later(3 * HOUR_MS).toISOString() },
  });
  // The note goes along with a lead that does.
  const isCopy = Object.keys(how).length === 0;
  expect((await callsOf(call.id))?.list_id).toBe(isCopy ? from.listId : into.listId);
});

test('a lead that is found again later is called again, except for what waits', async () => {
  const [reached, back] = [row('Reached'), row('Back')];
  const first = await build([reached, back]);
  await first.log('Reached', 'reached');
  await first.log('Back', 'call_back', { callBackAt: later(HOUR_MS).toISOString() });
  const second = await build([reached, back].map((one) => ({ ...one, created_at: later(MINUTE_MS) })));
  await setCallClock(product.db, later(2 * MINUTE_MS));
  expect(await second.tab().open()).toMatchObject({
    counts: { left: 1, done: 0, callBacks: 1 },
    lead: { businessName: 'Reached', calls: [{ outcome: 'reached' }] },
  });
});

test('an appointment of someone else is theirs', async () => {
  const shared = row('Shared');
  const [mine, theirs] = [await build([shared]), await build([shared], other)];
  await theirs.log('Shared', 'call_back', { callBackAt: later(3 * HOUR_MS).toISOString() });
  const shown = await mine.tab().open();
  expect(shown).toMatchObject({ counts: { left: 1 }, lead: { dueAt: null, calls: [{ isOwn: false }] } });
  const { calls } = await user.call(leadCallsEndpoint, undefined, { id: mine.idOf('Shared') });
  expect(calls).toMatchObject([{ callBackAt: later(3 * HOUR_MS).toISOString(), isOwn: false }]);
});
