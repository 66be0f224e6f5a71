import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { exportAccountEndpoint } from '#contract/account/account.ts';
import {
  checkCallabilityEndpoint,
  leadCallabilityEndpoint,
  listCallabilityEndpoint,
} from '#contract/calling/callability.ts';
import { beginCallEndpoint, type CallOutcome, logCallEndpoint } from '#contract/calling/calls.ts';
import { listSuppressionsEndpoint, removeSuppressionEndpoint } from '#contract/calling/suppressions.ts';
import type { DB } from '#db/types.gen.ts';
import { isCallableWithin, settleFilter } from '#server/calling/settle-choice.ts';
import { suppressFoundLater } from '#server/features/suppressions/refusals/suppress-found-later.ts';
import { readLeadCounts } from '#server/leads/read-lead-counts.ts';
import { setCallClock, tuesdayAt } from '#test/call-clock.ts';
import { buildListOf, readLeads } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

const NOON = tuesdayAt(18);
const HOUR_MS = 3_600_000;
const at = (hours: number) => new Date(NOON.getTime() + hours * HOUR_MS);

let product: Product;
let user: TestUser;
let other: TestUser;
let admin: TestUser;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  [user, other, admin] = await Promise.all([product.user(), product.user(), product.admin()]);
});
beforeEach(() => setCallClock(product.db, NOON));

type Lead = Partial<Insertable<DB['leads']>>;

let made = 0;
const nextPhone = () => `+1 813-555-${String(1000 + made++)}`;
const TAMPA = '1 Invented Street, Tampa, FL 33601, USA';
/** A lead that may be called at noon, in a list of its own. */
async function build(lead: Lead = {}, whose = user, sandbox = false) {
  const checked = { compliance_status: 'safe' as const, compliance_checked_at: at(-24), phone_type: 'landline' };
  const phone = nextPhone();
  const listId = await buildListOf(product.db, whose.id, [{ phone, address: TAMPA, ...checked, ...lead }], { sandbox });
  const [row] = await readLeads(product.db, listId);
  return { listId, id: row?.id ?? '', phone };
}
const begin = (leadId: string, whose = user) =>
  whose.call(beginCallEndpoint, { id: randomUUID(), leadId, session: randomUUID() });
async function callThrice(leadId: string, whose = user): Promise<void> {
  for (let count = 0; count < 3; count += 1)
    await whose.call(logCallEndpoint, { id: randomUUID(), leadId, outcome: 'no_answer' });
}

test.each<[string, Lead, Lead]>([
  ['the same place', { place_id: 'ChIJone-place' }, { place_id: 'ChIJone-place' }],
  ['the same address of mail', { email: 'Ann.Smith@gmail.com', place_id: 'ChIJann' }, { email: 'annsmith@gmail.com' }],
  [
    'the same name and website in one ZIP code',
    { business_name: 'Acme Roofing LLC', website: 'https://www.acme-roofing.com/tampa' },
    { business_name: 'ACME Roofing', website: 'acme-roofing.com', address: '2 Other Road, Tampa, FL 33601' },
  ],
])('calls to one number count for another of %s', async (_what, one, another) => {
  const [first, second] = [await build(one, other), await build(another)];
  await callThrice(first.id, other);
  expect(await begin(second.id)).toMatchObject({
    state: 'refused',
    callability: {
      verdict: 'not_now',
      reasons: expect.arrayContaining([
        expect.objectContaining({
          code: 'cap_reached',
          text: 'Called 3 times in 24 hours, counting all numbers of the business. FL allows 3.',
        }),
      ]),
    },
  });
  const moment = { at: new Date(NOON.getTime() + 60_000).toISOString() };
  expect(await user.call(leadCallabilityEndpoint, undefined, { id: second.id, ...moment })).toMatchObject({
    verdict: 'not_now',
  });
  expect(await user.call(listCallabilityEndpoint, undefined, { listId: second.listId, ...moment })).toMatchObject({
    counts: { callable: 0, not_now: 1 },
  });
  await setCallClock(product.db, new Date(NOON.getTime() + 25 * HOUR_MS));
  expect(await begin(second.id)).toMatchObject({ state: 'begun' });
});

/** What every way to read a list says of its one lead at a moment. */
async function saidOf(listId: string, time: number, whose = user) {
  const moment = { listId, at: new Date(time).toISOString() };
  const { counts } = await whose.call(listCallabilityEndpoint, undefined, moment);
  const filtered = await settleFilter(product.db, listId, { call: 'callable' }, time);
  const soon = await isCallableWithin(product.db, listId, {}, 1, time);
  const { exports } = await readLeadCounts(product.db, listId, {}, soon);
  return { counts, filtered: filtered.positions, exported: exports.all.all_leads };
}
const USED_UP = { counts: { callable: 0, not_now: 1 }, filtered: [], exported: 0 };

const NAMED = { business_name: 'Found Roofing', website: 'https://found-roofing.com' };
test.each<[string, Lead, Lead]>([
  ['the same place', { place_id: 'ChIJfound-after' }, { place_id: 'ChIJfound-after' }],
  [
    'the same address of mail',
    { email: 'found@after.example' },
    { email: 'found@after.example', place_id: 'ChIJafter' },
  ],
  ['the same name and website', NAMED, { ...NAMED, business_name: 'Found Roofing LLC' }],
])(
  'calls count for a number of %s that is found only after them, before anyone tries it',
  async (_what, one, another) => {
    const first = await build(one, other);
    await callThrice(first.id, other);
    const later = await build(another);
    const soon = NOON.getTime() + 60_000;
    expect(await saidOf(later.listId, soon)).toMatchObject(USED_UP);
    expect(await begin(later.id)).toMatchObject({ state: 'refused', callability: { verdict: 'not_now' } });
    expect(await saidOf(later.listId, soon)).toMatchObject(USED_UP);
    // Only their lead said that the two are one.
    await product.db.deleteFrom('lists').where('id', '=', first.listId).execute();
    expect(await saidOf(later.listId, soon)).toMatchObject(USED_UP);
    await setCallClock(product.db, at(25));
    expect(await saidOf(later.listId, at(25).getTime())).toMatchObject({ counts: { callable: 1 }, exported: 1 });
    expect(await begin(later.id)).toMatchObject({ state: 'begun' });
  },
);

test('what the lead of someone else says of a number counts for one’s own, and for the number by itself', async () => {
  const place = { place_id: 'ChIJknown-elsewhere' };
  const first = await build(place, other);
  await callThrice(first.id, other);
  const later = await build({ phone: '+1 813-555-0177' });
  await build({ ...place, phone: '(813) 555-0177' }, other);
  const soon = NOON.getTime() + 60_000;
  expect(await saidOf(later.listId, soon)).toMatchObject(USED_UP);
  const body = { phone: '813.555.0177', address: TAMPA, at: new Date(soon).toISOString() };
  const { reasons } = await user.call(checkCallabilityEndpoint, body);
  expect(reasons.map(({ code }) => code)).toContain('cap_reached');
  expect(await begin(later.id)).toMatchObject({ state: 'refused', callability: { verdict: 'not_now' } });
});

test.each<[string, Lead, Lead]>([
  [
    'two places of a chain, though they share a mailbox',
    { place_id: 'ChIJa', business_name: 'Chain', website: 'chain.com', email: 'info@chain.com' },
    { place_id: 'ChIJb', business_name: 'Chain', website: 'chain.com', email: 'info@chain.com' },
  ],
  [
    'one name in two towns',
    { business_name: 'Cuts Hair', website: 'cuts-hair.com' },
    { business_name: 'Cuts Hair', website: 'cuts-hair.com', address: '9 Invented Street, Miami, FL 33101, USA' },
  ],
  ['one name without a website', { business_name: 'Sunrise Dental' }, { business_name: 'Sunrise Dental' }],
])('but not for another of %s', async (_what, one, another) => {
  const [first, second] = [await build(one), await build(another)];
  await callThrice(first.id);
  expect(await begin(second.id)).toMatchObject({ state: 'begun' });
});

test('practice counts for no real number of the same business', async () => {
  const place = { place_id: 'ChIJpractice' };
  const practice = await build(place, user, true);
  const real = await build(place);
  await callThrice(practice.id);
  expect(await begin(real.id)).toMatchObject({ state: 'begun' });
});

test('two people who begin a call to two numbers of one business at once do not exceed its cap', async () => {
  const place = { place_id: 'ChIJat-once' };
  const [mine, theirs] = [await build(place), await build(place, other)];
  for (let count = 0; count < 2; count += 1)
    await user.call(logCallEndpoint, { id: randomUUID(), leadId: mine.id, outcome: 'no_answer' });
  const states = (await Promise.all([begin(mine.id), begin(theirs.id, other)])).map(({ state }) => state);
  expect(states.toSorted()).toEqual(['begun', 'refused']);
});

test('what someone exports of their account names no number that stands in the lists of others alone', async () => {
  const place = { place_id: 'ChIJprivate' };
  const [mine, theirs] = [await build(place), await build(place, other)];
  await callThrice(mine.id);
  const { beside } = await product.db
    .selectFrom('app.calls')
    .select('beside')
    .where('lead_id', '=', mine.id)
    .limit(1)
    .executeTakeFirstOrThrow();
  expect(beside).toEqual([theirs.phone.replaceAll(/[ -]/g, '')]);
  const response = await user.get(exportAccountEndpoint.path);
  expect(await response.text()).not.toContain(beside[0]);
});

test.each<[CallOutcome, boolean]>([
  ['do_not_call', true],
  ['wrong_number', false],
])('%s at one number of a business holds for its others: %s', async (outcome, holds) => {
  const place = { place_id: `ChIJ${outcome}`, email: `info@${outcome.replaceAll('_', '-')}.com` };
  const [first, second] = [await build(place), await build(place, other)];
  // A mailbox alone may be that of a chain.
  const chain = await build({ email: place.email });
  await user.call(logCallEndpoint, { id: randomUUID(), leadId: first.id, outcome });
  const verdictOf = async (whose: TestUser, id: string) =>
    (await whose.call(leadCallabilityEndpoint, undefined, { id, at: at(1).toISOString() })).verdict;
  expect([await verdictOf(user, first.id), await verdictOf(other, second.id), await verdictOf(user, chain.id)]).toEqual(
    ['blocked', holds ? 'blocked' : 'callable', 'callable'],
  );
});

test.each<[string, boolean]>([
  ['at the press', false],
  ['by the next look of a worker', true],
])(
  'who asks not to be called, and whose place is not known, is not called at a number either that is found later: %s',
  async (when, looks) => {
    const named = { business_name: `Stop ${when}`, website: `https://stop-${looks}.com/tampa` };
    const first = await build(named);
    await user.call(logCallEndpoint, { id: randomUUID(), leadId: first.id, outcome: 'do_not_call' });
    const later = await build({ ...named, place_id: `ChIJstop-${looks}` }, other);
    const chain = await build({ ...named, address: '9 Invented Street, Miami, FL 33101, USA' }, other);
    if (looks) await suppressFoundLater(product.workerDeps);
    else expect(await begin(later.id, other)).toMatchObject({ state: 'refused', callability: { verdict: 'blocked' } });
    expect(await saidOf(later.listId, at(1).getTime(), other)).toMatchObject({ counts: { blocked: 1 }, exported: 0 });
    expect(await begin(chain.id, other)).toMatchObject({ state: 'begun' });
    const { items } = await user.call(listSuppressionsEndpoint, undefined, { q: later.phone });
    expect(items).toMatchObject([{ source: 'call', addedBy: null, note: expect.stringContaining('another number') }]);
    // What an administrator lets go does not come back by itself.
    await admin.call(removeSuppressionEndpoint, { reason: 'Another business' }, { id: items[0]?.id ?? '' });
    await suppressFoundLater(product.workerDeps);
    expect(await begin(later.id, other)).toMatchObject({ state: 'begun' });
  },
);

test('who asks not to be called is not called at a number either that is found later of the same place', async () => {
  const place = { place_id: 'ChIJfound-later' };
  const first = await build(place);
  await user.call(logCallEndpoint, { id: randomUUID(), leadId: first.id, outcome: 'do_not_call' });
  const later = await build(place, other);
  expect(await begin(later.id, other)).toMatchObject({
    state: 'refused',
    callability: {
      verdict: 'blocked',
      reasons: expect.arrayContaining([expect.objectContaining({ code: 'suppressed' })]),
    },
  });
});
