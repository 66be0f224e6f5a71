import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type CallOutcome, logCallEndpoint, takeBackCallEndpoint } from '#contract/calling/calls.ts';
import { eraseContactEndpoint } from '#contract/calling/suppression-sources.ts';
import { copyLeadsEndpoint, deleteLeadsEndpoint } from '#contract/work/move-leads.ts';
import { setCallClock } from '#test/call-clock.ts';
import { buildCallSheet, later, MINUTE_MS, NOON, nameOf, type Row, row } from '#test/call-sheets.ts';
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
type Built = Awaited<ReturnType<typeof build>>;
const toNumber = ({ phone }: Row) => phone.replace(/[ -]/g, '');
const move = (from: Built, name: string, to: { list_id: string } | { name: string }) =>
  user.call(copyLeadsEndpoint, { lead_ids: [from.idOf(name)], to, remove: true }, { listId: from.listId });
const remove = (from: Built, name: string) =>
  user.call(deleteLeadsEndpoint, { lead_ids: [from.idOf(name)] }, { listId: from.listId });
const callsOf = (id: string) => product.db.selectFrom('app.calls').selectAll().where('id', '=', id).executeTakeFirst();

test.each([
  ['moved', (sheet: Built) => move(sheet, 'One', { name: 'Elsewhere' })],
  ['deleted', (sheet: Built) => remove(sheet, 'One')],
  [
    'given another number',
    (sheet: Built) =>
      product.db
        .updateTable('leads')
        .set({ phone: row('').phone })
        .where('id', '=', sheet.idOf('One'))
        .execute(),
  ],
])(
  'a lead that is %s during its call makes no room for another, and its call gets its outcome',
  async (_how, leave) => {
    const one = row('One');
    const sheet = await build([one, row('Two')]);
    const tab = sheet.tab();
    const call = randomUUID();
    await tab.open();
    await tab.begin(sheet.idOf('One'), call);
    await leave(sheet);
    const gone = { state: 'gone', number: toNumber(one), call: { id: call, outcome: null } };
    expect(await tab.open({ keep: sheet.idOf('One'), call })).toMatchObject(gone);
    // Also for a page that knows nothing of it anymore.
    expect(await sheet.tab().open()).toMatchObject(gone);
    const { suppressed } = await user.call(logCallEndpoint, {
      id: call,
      leadId: sheet.idOf('One'),
      number: toNumber(one),
      outcome: 'do_not_call',
    });
    expect(suppressed).toBe(true);
    expect(nameOf(await tab.open({ after: sheet.idOf('One') }))).toBe('Two');
  },
);

test('a lead that leaves before its call is not swapped either; a call that was not made is withdrawn', async () => {
  const sheet = await build([row('One'), row('Two')]);
  const tab = sheet.tab();
  const call = randomUUID();
  await tab.open();
  await tab.begin(sheet.idOf('One'), call);
  await remove(sheet, 'One');
  await user.call(takeBackCallEndpoint, { what: 'call' }, { id: call });
  expect(await tab.open({ keep: sheet.idOf('One'), call })).toMatchObject({ state: 'gone', number: null, call: null });
  expect(nameOf(await tab.open())).toBe('Two');
});

test('an outcome is refused for another lead than was called', async () => {
  const [one, two] = [row('One'), row('Two')];
  const sheet = await build([one, two]);
  const id = randomUUID();
  await sheet.tab().begin(sheet.idOf('One'), id);
  const say = (leadId: string, more = {}) => user.call(logCallEndpoint, { id, leadId, outcome: 'reached', ...more });
  for (const wrong of [
    () => say(sheet.idOf('Two')),
    () => say(sheet.idOf('One'), { number: toNumber(two) }),
    () => sheet.tab().begin(sheet.idOf('Two'), id),
  ])
    await expect(wrong()).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(await callsOf(id)).toMatchObject({ outcome: null });
  expect((await say(sheet.idOf('One'), { number: toNumber(one) })).call.outcome).toBe('reached');
});

test('a call made offline is logged though its lead was moved or deleted meanwhile, and counts', async () => {
  const [moved, deleted] = [row('Moved'), row('Deleted')];
  const sheet = await build([moved, deleted]);
  // Both were shown to this person.
  const tab = sheet.tab();
  await tab.open();
  await tab.open({ after: sheet.idOf('Moved') });
  const { list_id } = await move(sheet, 'Moved', { name: 'Elsewhere' });
  await remove(sheet, 'Deleted');
  const madeAt = later(-MINUTE_MS).toISOString();
  const log = (name: string, lead: Row, who = user) => {
    const body = { id: randomUUID(), leadId: sheet.idOf(name), number: toNumber(lead), madeAt };
    return who.call(logCallEndpoint, { ...body, outcome: 'no_answer' as CallOutcome, note: 'rang' });
  };
  const first = await log('Moved', moved);
  expect(await callsOf(first.call.id)).toMatchObject({
    list_id,
    outcome: 'no_answer',
    note: 'rang',
    verdict: 'callable',
  });
  const second = await log('Deleted', deleted);
  expect(await callsOf(second.call.id)).toMatchObject({
    phone: toNumber(deleted),
    list_id: sheet.listId,
    lead_id: null,
    note: 'rang',
    verdict: 'unknown',
    called_at: new Date(madeAt),
  });
  // Neither for someone who never had them, nor for a number that this person never had.
  await expect(log('Moved', moved, other)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(log('Deleted', deleted, other)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(log('Deleted', row('Never'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('of a number that is erased during its call, the outcome is kept, and neither a note nor the number in the evidence', async () => {
  const one = row('One');
  const sheet = await build([one]);
  const begun = randomUUID();
  await sheet.tab().begin(sheet.idOf('One'), begun);
  const admin = await product.admin();
  await admin.call(eraseContactEndpoint, { kind: 'phone', value: toNumber(one) });
  const said = { leadId: sheet.idOf('One'), number: toNumber(one), note: 'Olive said stop' };
  const madeAt = later(-MINUTE_MS).toISOString();
  for (const call of [{ id: begun }, { id: begun }, { id: randomUUID(), madeAt }])
    expect(await user.call(logCallEndpoint, { ...said, ...call, outcome: 'do_not_call' })).toMatchObject({
      suppressed: true,
      call: { outcome: 'do_not_call', note: null },
    });
  await user.call(takeBackCallEndpoint, { what: 'outcome' }, { id: begun });
  const { rows } = await sql<{ kind: string; erased: boolean; subjects: number }>`
    select entry.kind, part.sealed is null as erased, (
      select count(*)::integer from app.evidence_subjects as named where named.ticket = entry.ticket) as subjects
    from app.evidence as entry join app.evidence_parts as part on part.ticket = entry.ticket
    where entry.list_id = ${sheet.listId} and entry.kind like 'call.%' order by entry.position
  `.execute(product.db);
  const gone = { erased: true, subjects: 0 };
  const logged = { kind: 'call.logged', ...gone };
  // The number and the note of each.
  expect(rows).toEqual([logged, logged, logged, logged, { kind: 'call.taken_back', ...gone }]);
});
