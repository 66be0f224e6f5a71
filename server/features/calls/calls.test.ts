import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { LATE_DIAL_MS } from '#calling/rules/rule.ts';
import { deleteAccountEndpoint } from '#contract/account/account.ts';
import {
  checkCallabilityEndpoint,
  leadCallabilityEndpoint,
  listCallabilityEndpoint,
} from '#contract/calling/callability.ts';
import {
  beginCallEndpoint,
  type CallOutcome,
  callSheetEndpoint,
  DIAL_OPEN_MS,
  leadCallsEndpoint,
  logCallEndpoint,
  takeBackCallEndpoint,
} from '#contract/calling/calls.ts';
import { addCallingRuleEndpoint, endCallingRuleEndpoint } from '#contract/calling/rules.ts';
import {
  addSuppressionEndpoint,
  listSuppressionsEndpoint,
  removeSuppressionEndpoint,
} from '#contract/calling/suppressions.ts';
import { countLeadsEndpoint } from '#contract/work/lead-counts.ts';
import { forgetCalls } from '#server/features/retention/forget-calls.ts';
import { setCallClock, tuesdayAt } from '#test/call-clock.ts';
import { buildListOf, readLeads } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

const NOON = tuesdayAt(18);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const later = (ms: number) => new Date(NOON.getTime() + ms);

let product: Product;
let user: TestUser;
let other: TestUser;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  [user, other] = await Promise.all([product.user(), product.user()]);
});
beforeEach(() => setCallClock(product.db, NOON));

let made = 0;
const nextPhone = (area: string) => `+1 ${area}-555-${String(100 + (made++ % 100)).padStart(4, '0')}`;
const TAMPA = '1 Invented Street, Tampa, FL 33601, USA';
const clean = () => ({
  compliance_status: 'safe',
  compliance_checked_at: later(-24 * HOUR_MS),
  phone_type: 'landline',
});

/** A lead of someone, checked and open at noon, in a list of its own. */
async function buildLead(whose: TestUser, phone = nextPhone('813'), address = TAMPA, sandbox = false) {
  const listId = await buildListOf(product.db, whose.id, [{ phone, address, ...clean() }], { sandbox });
  const [lead] = await readLeads(product.db, listId);
  return { listId, id: lead?.id ?? '', phone };
}
const begin = (whose: TestUser, leadId: string, id: string = randomUUID()) =>
  whose.call(beginCallEndpoint, { id, leadId, session: randomUUID() });
const log = (whose: TestUser, leadId: string, outcome: CallOutcome = 'reached', more = {}) =>
  whose.call(logCallEndpoint, { id: randomUUID(), leadId, outcome, ...more });
const callsOf = async (whose: TestUser, id: string) => (await whose.call(leadCallsEndpoint, undefined, { id })).calls;
/** What the evidence says was last said of a lead when a call was begun. */
async function lastGiven(id: string): Promise<string | undefined> {
  const { rows } = await sql<{ verdict: string }>`
    select facts ->> 'verdict' as verdict from app.evidence where kind = 'verdict.given' and facts ->> 'lead' = ${id}
    order by position desc limit 1
  `.execute(product.db);
  return rows[0]?.verdict;
}
const verdictOf = (whose: TestUser, id: string, at: Date) =>
  whose.call(leadCallabilityEndpoint, undefined, { id, at: at.toISOString() });

test('in Florida a fourth call in a day is refused, no matter who made the others, and allowed once a day has passed', async () => {
  const phone = nextPhone('813');
  const [mine, theirs] = [await buildLead(user, phone), await buildLead(other, phone.replaceAll('-', '.'))];
  expect(await begin(user, mine.id)).toMatchObject({ state: 'begun', call: { verdict: 'callable', outcome: null } });
  await log(other, theirs.id, 'no_answer');
  expect((await verdictOf(user, mine.id, later(MINUTE_MS))).verdict).toBe('callable');
  await log(user, mine.id, 'voicemail');

  const refused = await begin(other, theirs.id);
  expect(refused).toMatchObject({ state: 'refused', callability: { verdict: 'not_now' } });
  expect(refused.state === 'refused' && refused.callability.reasons[0]).toMatchObject({
    code: 'cap_reached',
    citation: expect.stringContaining('501.616'),
  });
  await other.connect('searchbug', '1234567:caps');
  const check = { phone, state: 'FL', postalCode: '33601', at: later(MINUTE_MS).toISOString() };
  const number = await other.call(checkCallabilityEndpoint, check);
  expect(number.reasons.map(({ code }) => code)).toContain('cap_reached');

  await setCallClock(product.db, later(24 * HOUR_MS + DIAL_OPEN_MS + MINUTE_MS));
  expect((await begin(other, theirs.id)).state).toBe('begun');
});

test('Oregon has a cap as well, Illinois has none, and two callers at once cannot both make the last call', async () => {
  const oregon = await buildLead(user, nextPhone('503'), '1 Invented Street, Portland, OR 97201, USA');
  for (let count = 0; count < 2; count += 1) await log(user, oregon.id);
  const both = await Promise.all([begin(user, oregon.id), begin(user, oregon.id)]);
  expect(both.map(({ state }) => state).sort()).toEqual(['begun', 'refused']);
  const illinois = await buildLead(user, nextPhone('217'), '1 Invented Street, Springfield, IL 62701, USA');
  for (let count = 0; count < 5; count += 1) expect((await begin(user, illinois.id)).state).toBe('begun');
});

test('a rule of the workspace that counts the calls of three days looks back three days, wherever calls are judged', async () => {
  const admin = await product.admin();
  const rule = { state: 'CO', days: [0, 1, 2, 3, 4, 5, 6], from: '08:00', to: '21:00', cap: { calls: 2, hours: 72 } };
  const { rules } = await admin.call(addCallingRuleEndpoint, { ...rule, reason: 'Two calls in three days' });
  const phone = nextPhone('303');
  const lead = await buildLead(user, phone, '1 Invented Street, Denver, CO 80202, USA');
  for (let count = 0; count < 2; count += 1) await log(user, lead.id, 'no_answer');
  const twoDaysLater = later(48 * HOUR_MS);
  await setCallClock(product.db, twoDaysLater);
  const refused = await begin(user, lead.id);
  expect(refused.state === 'refused' && refused.callability.reasons[0]?.code).toBe('cap_reached');
  expect((await verdictOf(user, lead.id, twoDaysLater)).verdict).toBe('not_now');
  const number = { phone, state: 'CO', postalCode: '80202', at: twoDaysLater.toISOString() };
  const { reasons } = await user.call(checkCallabilityEndpoint, number);
  expect(reasons.map(({ code }) => code)).toContain('cap_reached');
  const counted = { listId: lead.listId, at: twoDaysLater.toISOString() };
  expect((await user.call(listCallabilityEndpoint, undefined, counted)).counts.not_now).toBe(1);
  await setCallClock(product.db, later(72 * HOUR_MS + DIAL_OPEN_MS + MINUTE_MS));
  expect((await begin(user, lead.id)).state).toBe('begun');
  await admin.call(endCallingRuleEndpoint, { reason: 'Tried out' }, { id: rules[0]?.id ?? '' });
});

test('a call that began before is told again, and whether it may still be dialed', async () => {
  const lead = await buildLead(user);
  const ids = [randomUUID(), randomUUID(), randomUUID()] as const;
  for (const id of ids) expect(await begin(user, lead.id, id)).toMatchObject({ state: 'begun', mayDial: true });
  // The cap is reached by these calls themselves.
  expect(await begin(user, lead.id, ids[2])).toMatchObject({ state: 'begun', mayDial: true });
  expect(await lastGiven(lead.id)).toBe('callable');
  expect((await begin(user, lead.id)).state).toBe('refused');
  expect(await lastGiven(lead.id)).toBe('not_now');
  await user.call(logCallEndpoint, { id: ids[0], leadId: lead.id, outcome: 'no_answer' });
  expect(await begin(user, lead.id, ids[0])).toMatchObject({ state: 'begun', mayDial: false });
  await setCallClock(product.db, tuesdayAt(3));
  expect(await begin(user, lead.id, ids[1])).toMatchObject({ state: 'begun', mayDial: false });
  await setCallClock(product.db, NOON);
  await user.call(addSuppressionEndpoint, { kind: 'phone', value: lead.phone });
  expect(await begin(user, lead.id, ids[2])).toMatchObject({ state: 'begun', mayDial: false });
});

test('a call that was begun is not dialed once others have used the cap up, and counts itself no more than once', async () => {
  const phone = nextPhone('813');
  const [mine, theirs] = [await buildLead(user, phone), await buildLead(other, phone)];
  await log(user, mine.id, 'no_answer');
  const [id, session] = [randomUUID(), randomUUID()];
  expect(await user.call(beginCallEndpoint, { id, leadId: mine.id, session })).toMatchObject({ mayDial: true });
  const onSheet = () => user.call(callSheetEndpoint, { session, keep: mine.id, call: id }, { listId: mine.listId });
  // The third of three is the call under way itself.
  await log(other, theirs.id, 'no_answer');
  expect(await begin(user, mine.id, id)).toMatchObject({ state: 'begun', mayDial: true });
  expect(await onSheet()).toMatchObject({
    lead: { open: { id }, mayCall: false, mayDial: true, callability: { verdict: 'callable' } },
  });
  // A colleague calls from a phone of their own, and logs that. To dial now would be the fourth call of the day.
  await log(other, theirs.id, 'voicemail');
  expect(await begin(user, mine.id, id)).toMatchObject({ state: 'begun', mayDial: false });
  expect(await onSheet()).toMatchObject({
    lead: { open: { id }, mayCall: false, mayDial: false, callability: { verdict: 'not_now' } },
  });
});

test('a call that began a while ago is no leave to dial: its count would be of another time', async () => {
  const lead = await buildLead(user);
  const id = randomUUID();
  await begin(user, lead.id, id);
  // The clock goes on while this is asked.
  await setCallClock(product.db, later(DIAL_OPEN_MS - 1_000));
  expect(await begin(user, lead.id, id)).toMatchObject({ state: 'begun', mayDial: true });
  await setCallClock(product.db, later(DIAL_OPEN_MS + 1_000));
  expect(await begin(user, lead.id, id)).toMatchObject({ state: 'begun', mayDial: false });
  // A day later it is in no cap anymore.
  await setCallClock(product.db, later(24 * HOUR_MS + MINUTE_MS));
  expect(await begin(user, lead.id, id)).toMatchObject({ state: 'begun', mayDial: false });
});

test('a call that was dialed some minutes after it began counts for the whole day from then on', async () => {
  const lead = await buildLead(user);
  const id = randomUUID();
  await begin(user, lead.id, id);
  const dialedAt = later(DIAL_OPEN_MS - MINUTE_MS);
  await setCallClock(product.db, dialedAt);
  expect(await begin(user, lead.id, id)).toMatchObject({ state: 'begun', mayDial: true });
  for (let count = 0; count < 2; count += 1) await log(user, lead.id, 'no_answer');
  // A day after its beginning, not yet after its dial: this would be the fourth call in 24 hours.
  const early = later(24 * HOUR_MS + MINUTE_MS);
  await setCallClock(product.db, early);
  expect(await begin(user, lead.id)).toMatchObject({ state: 'refused', callability: { verdict: 'not_now' } });
  expect((await verdictOf(user, lead.id, early)).verdict).toBe('not_now');
  const { callFrom = '' } = await user.call(leadCallabilityEndpoint, undefined, {
    id: lead.id,
    at: early.toISOString(),
  });
  expect(Date.parse(callFrom)).toBeGreaterThanOrEqual(dialedAt.getTime() + 24 * HOUR_MS);
});

test('a cap counts a call for as long as it may be dialed', () => expect(LATE_DIAL_MS).toBe(DIAL_OPEN_MS));

test('no call begins in the last 30 seconds of a window, or after it; one that was made is logged as such', async () => {
  const lead = await buildLead(user);
  const closing = tuesdayAt(18);
  closing.setTime(Date.parse((await verdictOf(user, lead.id, NOON)).window.closesAt ?? ''));
  await setCallClock(product.db, new Date(closing.getTime() - 40_000));
  expect((await begin(user, lead.id)).state).toBe('begun');
  await setCallClock(product.db, new Date(closing.getTime() - 29_000));
  expect(await begin(user, lead.id)).toMatchObject({ state: 'refused', callability: { verdict: 'not_now' } });
  const { call } = await log(user, lead.id, 'no_answer');
  expect(call).toMatchObject({ outcome: 'no_answer', verdict: 'not_now' });
});

test('a number that was never checked cannot be called, and a call to it is not lost', async () => {
  const lead = await buildLead(user);
  await product.db.updateTable('leads').set({ compliance_status: 'not_checked' }).where('id', '=', lead.id).execute();
  expect(await begin(user, lead.id)).toMatchObject({ state: 'refused', callability: { verdict: 'unknown' } });
  expect((await log(user, lead.id)).call.verdict).toBe('unknown');
});

test.each<CallOutcome>(['do_not_call', 'wrong_number'])(
  '%s suppresses the number at once, everywhere',
  async (outcome) => {
    const phone = nextPhone('813');
    const [mine, theirs] = [await buildLead(user, phone), await buildLead(other, `${phone} ext. 7`)];
    expect(await log(user, mine.id, outcome)).toMatchObject({ suppressed: true, call: { outcome } });
    const { verdict, reasons } = await verdictOf(other, theirs.id, NOON);
    expect([verdict, reasons[0]?.code]).toEqual(['blocked', 'suppressed']);
    expect((await begin(other, theirs.id)).state).toBe('refused');
    expect((await other.call(countLeadsEndpoint, {}, { listId: theirs.listId })).suppressed).toBe(1);
    const { items } = await user.call(listSuppressionsEndpoint, undefined, { q: phone });
    expect(items).toMatchObject([{ kind: 'phone', source: 'call', addedBy: user.email }]);
  },
);

test('"do not call", sent again after an administrator let the number go, does not say that it is suppressed', async () => {
  const lead = await buildLead(user);
  const body = { id: randomUUID(), leadId: lead.id, outcome: 'do_not_call' } as const;
  for (let twice = 0; twice < 2; twice += 1)
    expect(await user.call(logCallEndpoint, body)).toMatchObject({ suppressed: true });
  const admin = await product.admin();
  const { items } = await admin.call(listSuppressionsEndpoint, undefined, { q: lead.phone });
  await admin.call(removeSuppressionEndpoint, { reason: 'A test call' }, { id: items[0]?.id ?? '' });
  expect(await user.call(logCallEndpoint, body)).toMatchObject({ suppressed: false });
});

test('the same call sent twice, or twice at once, is one call', async () => {
  const lead = await buildLead(user);
  const id = randomUUID();
  const body = { id, leadId: lead.id, outcome: 'reached', note: 'asked for a quote' } as const;
  const answers = await Promise.all([1, 2, 3].map(() => user.call(logCallEndpoint, body)));
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  await Promise.all([begin(user, lead.id, id), begin(user, lead.id, id)]);
  expect(await callsOf(user, lead.id)).toMatchObject([{ id, outcome: 'reached', note: 'asked for a quote' }]);
});

test('an outcome can be changed and taken back for ten minutes; the call counts on, unless none was made', async () => {
  const lead = await buildLead(user);
  const id = randomUUID();
  const say = (outcome: CallOutcome, more = {}) =>
    user.call(logCallEndpoint, { id, leadId: lead.id, outcome, ...more });
  const takeBack = (what: 'outcome' | 'call') => user.call(takeBackCallEndpoint, { what }, { id });
  await begin(user, lead.id, id);
  await say('reached');
  const callBackAt = later(HOUR_MS).toISOString();
  expect((await say('call_back', { callBackAt })).call).toMatchObject({ outcome: 'call_back', callBackAt });
  await expect(takeBack('call')).rejects.toMatchObject({ code: 'CONFLICT' });
  for (let twice = 0; twice < 2; twice += 1)
    expect((await takeBack('outcome')).call).toMatchObject({ outcome: null, callBackAt: null });
  expect(await callsOf(user, lead.id)).toHaveLength(1);
  for (let twice = 0; twice < 2; twice += 1) await takeBack('call');
  expect(await callsOf(user, lead.id)).toEqual([]);
  await expect(say('reached')).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(begin(user, lead.id, id)).rejects.toMatchObject({ code: 'CONFLICT' });
  const { rows } = await sql<{ kind: string; list_id: string; what: string | null; outcome: string | null }>`
    select kind, list_id, facts ->> 'what' as what, facts ->> 'outcome' as outcome from app.evidence
    where facts ->> 'call' = ${id} order by position
  `.execute(product.db);
  const list_id = lead.listId;
  expect(rows).toEqual([
    { kind: 'call.logged', list_id, what: null, outcome: 'reached' },
    { kind: 'call.logged', list_id, what: null, outcome: 'call_back' },
    { kind: 'call.taken_back', list_id, what: 'outcome', outcome: 'call_back' },
    { kind: 'call.taken_back', list_id, what: 'call', outcome: null },
  ]);
});

test('after ten minutes an outcome stands; a repeated request still gets its answer', async () => {
  const lead = await buildLead(user);
  const id = randomUUID();
  const body = { id, leadId: lead.id, outcome: 'voicemail' } as const;
  const first = await user.call(logCallEndpoint, body);
  await setCallClock(product.db, later(11 * MINUTE_MS));
  expect(await user.call(logCallEndpoint, body)).toEqual(first);
  await expect(user.call(logCallEndpoint, { ...body, outcome: 'reached' })).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(user.call(takeBackCallEndpoint, { what: 'outcome' }, { id })).rejects.toMatchObject({
    code: 'CONFLICT',
  });
});

test('the same outcome, sent again after its list is gone, is no change and no news, however late', async () => {
  const lead = await buildLead(user);
  const id = randomUUID();
  const number = lead.phone.replace(/[ -]/g, '');
  const body = { id, leadId: lead.id, number, outcome: 'reached', note: 'asked for a quote' } as const;
  await user.call(logCallEndpoint, body);
  await product.db.deleteFrom('lists').where('id', '=', lead.listId).execute();
  const again = await user.call(logCallEndpoint, body);
  expect(again.call).toMatchObject({ id, outcome: 'reached', note: null });
  await setCallClock(product.db, later(11 * MINUTE_MS));
  expect(await user.call(logCallEndpoint, body)).toEqual(again);
  const { rows } = await sql`select from app.evidence where facts ->> 'call' = ${id}`.execute(product.db);
  expect(rows).toHaveLength(1);
});

test('taking back "do not call" leaves the number suppressed, and says so', async () => {
  const lead = await buildLead(user);
  const { call } = await log(user, lead.id, 'do_not_call');
  const answer = await user.call(takeBackCallEndpoint, { what: 'outcome' }, { id: call.id });
  expect(answer).toMatchObject({ stillSuppressed: true, call: { outcome: null } });
  expect((await verdictOf(user, lead.id, NOON)).verdict).toBe('blocked');
});

test('a call made offline is logged when it was made, within a week', async () => {
  const lead = await buildLead(user);
  const madeAt = later(-3 * HOUR_MS).toISOString();
  expect((await log(user, lead.id, 'reached', { madeAt })).call.calledAt).toBe(madeAt);
  expect((await log(user, lead.id, 'reached', { madeAt: later(HOUR_MS).toISOString() })).call.calledAt).not.toBe(
    later(HOUR_MS).toISOString(),
  );
  const old = log(user, lead.id, 'reached', { madeAt: later(-8 * 24 * HOUR_MS).toISOString() });
  await expect(old).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
});

test('who asked in a call that is logged later asked when it was made', async () => {
  const phone = nextPhone('813');
  const lead = await buildLead(user, phone);
  await setCallClock(product.db, new Date());
  const madeAt = new Date(Date.now() - 5 * 24 * HOUR_MS).toISOString();
  await log(user, lead.id, 'do_not_call', { madeAt });
  const { items } = await user.call(listSuppressionsEndpoint, undefined, { q: phone });
  expect(items).toMatchObject([{ source: 'call', askedAt: madeAt }]);
});

test.each([
  [{ outcome: 'call_back' }, 'Say when to call back.'],
  [{ outcome: 'reached', madeAt: '0000-01-01T00:00:00Z' }, 'madeAt must be a time'],
  [{ outcome: 'reached', callBackAt: later(HOUR_MS).toISOString() }, 'Say when to call back.'],
  [{ outcome: 'call_back', callBackAt: later(-HOUR_MS).toISOString() }, 'must be after the call'],
  [{ outcome: 'call_back', callBackAt: later(400 * 24 * HOUR_MS).toISOString() }, 'at most a year ahead'],
  [{ outcome: 'reached', note: 'x'.repeat(1_001) }, 'at most 1,000 characters'],
])('%j is refused', async (body, message) => {
  const lead = await buildLead(user);
  const logging = user.call(logCallEndpoint, { id: randomUUID(), leadId: lead.id, ...body } as never);
  await expect(logging).rejects.toMatchObject({ code: 'VALIDATION_FAILED', message: expect.stringContaining(message) });
  expect(await callsOf(user, lead.id)).toEqual([]);
});

test('others see that a number was called and how it ended, and neither change it nor read its note', async () => {
  const phone = nextPhone('813');
  const [mine, theirs] = [await buildLead(user, phone), await buildLead(other, phone)];
  const { call } = await log(user, mine.id, 'reached', { note: 'a private word' });
  expect(await callsOf(other, theirs.id)).toMatchObject([{ outcome: 'reached', note: null, isOwn: false }]);
  const body = { id: call.id, leadId: theirs.id, outcome: 'no_answer' } as const;
  for (const attack of [
    () => other.call(logCallEndpoint, body),
    () => begin(other, theirs.id, call.id),
    () => other.call(takeBackCallEndpoint, { what: 'outcome' }, { id: call.id }),
    () => begin(other, mine.id),
    () => log(other, mine.id),
    () => callsOf(other, mine.id),
  ])
    await expect(attack()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await callsOf(user, mine.id)).toMatchObject([{ outcome: 'reached', note: 'a private word' }]);
});

test('calls of a sandbox list are practice: they count for real numbers nowhere, and suppress no one', async () => {
  const phone = nextPhone('813');
  const [practice, real] = [await buildLead(user, phone, TAMPA, true), await buildLead(user, phone)];
  for (let count = 0; count < 3; count += 1)
    expect(await begin(user, practice.id)).toMatchObject({ state: 'begun', call: { verdict: 'unknown' } });
  expect((await begin(user, practice.id)).state).toBe('refused');
  expect(await log(user, practice.id, 'do_not_call')).toMatchObject({ suppressed: false });
  expect(await callsOf(user, real.id)).toEqual([]);
  expect((await begin(user, real.id)).state).toBe('begun');
});

test('a call outlives its list and the account of its caller, without the note, and still counts', async () => {
  const leaver = await product.user();
  const phone = nextPhone('813');
  const [first, second, mine] = [
    await buildLead(leaver, phone),
    await buildLead(leaver, phone),
    await buildLead(user, phone),
  ];
  await log(leaver, first.id, 'reached', { note: 'in a list' });
  await product.db.deleteFrom('lists').where('id', '=', first.listId).execute();
  expect(await callsOf(leaver, second.id)).toMatchObject([{ outcome: 'reached', note: null }]);
  for (let count = 0; count < 2; count += 1) await log(leaver, second.id, 'no_answer', { note: 'of someone' });
  await leaver.call(deleteAccountEndpoint, { email: leaver.email });
  const kept = await product.db
    .selectFrom('app.calls')
    .selectAll()
    .where('phone', '=', phone.replace(/[ -]/g, ''))
    .execute();
  expect(kept).toHaveLength(3);
  for (const call of kept) expect(call).toMatchObject({ user_id: null, list_id: null, lead_id: null, note: null });
  expect((await begin(user, mine.id)).state).toBe('refused');
});

test('the database keeps what was logged for five years', async () => {
  const lead = await buildLead(user);
  const { call } = await log(user, lead.id);
  const change = sql`update app.calls set called_at = called_at - interval '6 years' where id = ${call.id}`;
  await expect(change.execute(product.db)).rejects.toThrow('stays as it was');
  await expect(sql`delete from app.calls where id = ${call.id}`.execute(product.db)).rejects.toThrow('stays as it was');
  await sql`insert into app.calls (id, phone, sandbox, verdict, called_at)
    select gen_random_uuid(), '+18135550199', false, 'callable', now() - age from unnest(array[interval '5 years 1 day', interval '4 years 364 days']) as age
  `.execute(product.db);
  await forgetCalls(product.workerDeps.db, new AbortController().signal);
  const { rows } = await sql<{ calls: number }>`
    select count(*)::integer as calls from app.calls where phone = '+18135550199'`.execute(product.db);
  expect(rows).toEqual([{ calls: 1 }]);
  expect(await callsOf(user, lead.id)).toHaveLength(1);
});

test('what was said of a number is evidence, also where a call was refused', async () => {
  const caller = await product.user();
  const lead = await buildLead(caller);
  await begin(caller, lead.id);
  await setCallClock(product.db, tuesdayAt(3));
  expect(await begin(caller, lead.id)).toMatchObject({ state: 'refused' });
  await caller.call(checkCallabilityEndpoint, { phone: lead.phone, state: 'FL', at: later(0).toISOString() });
  const { rows } = await sql<{ list_id: string | null; facts: object }>`
    select list_id, facts from app.evidence where kind = 'verdict.given' and actor_id = ${caller.id} order by position
  `.execute(product.db);
  expect(rows).toMatchObject([
    { list_id: lead.listId, facts: { verdict: 'callable', lead: lead.id } },
    { list_id: lead.listId, facts: { verdict: 'not_now', lead: lead.id, opensAt: expect.any(String) } },
    { list_id: null, facts: { verdict: 'unknown', lead: null, at: later(0).toISOString() } },
  ]);
});
