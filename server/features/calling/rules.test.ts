import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { checkCallabilityEndpoint, leadCallabilityEndpoint } from '#contract/calling/callability.ts';
import {
  addCallingRuleEndpoint,
  endCallingRuleEndpoint,
  type NewOwnRule,
  readCallingRulesEndpoint,
  setCallScopeEndpoint,
} from '#contract/calling/rules.ts';
import { buildListOf, readLeads } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
let admin: TestUser;
let user: TestUser;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  admin = await product.admin();
  user = await product.user();
});

const RULE: NewOwnRule = {
  state: 'IL',
  days: [1, 2, 3, 4, 5],
  from: '09:00',
  to: '17:00',
  reason: 'Office hours only',
};
const refused = (rule: Partial<NewOwnRule>) =>
  admin.call(addCallingRuleEndpoint, { ...RULE, ...rule }).then(
    () => 'accepted',
    (error: { code: string; message: string }) => `${error.code}: ${error.message}`,
  );

/** A Tuesday at 8:30 in Chicago. */
const EARLY = '2026-12-08T14:30:00Z';
const windowAt = async (at: string, state = 'IL', postalCode = '62701', phone = '+1 217 555 0100') =>
  (await user.call(checkCallabilityEndpoint, { phone, state, postalCode, at })).window;

test('only administrators see and change the rules', async () => {
  const forbidden = { code: 'FORBIDDEN' };
  await expect(user.call(readCallingRulesEndpoint)).rejects.toMatchObject(forbidden);
  await expect(user.call(addCallingRuleEndpoint, RULE)).rejects.toMatchObject(forbidden);
  const scope = { scope: 'business_landlines' as const, reason: 'I would like that' };
  await expect(user.call(setCallScopeEndpoint, scope)).rejects.toMatchObject(forbidden);
});

test('a stricter rule holds at once and everywhere, and its end is kept with the reason', async () => {
  expect((await windowAt(EARLY)).state).toBe('open');
  const { rules } = await admin.call(addCallingRuleEndpoint, RULE);
  const [rule] = rules;
  expect(rule).toMatchObject({ state: 'IL', from: '09:00', added: { by: admin.email, reason: 'Office hours only' } });
  expect(await windowAt(EARLY)).toMatchObject({ state: 'closed', opensAt: '2026-12-08T15:00:00.000Z' });
  const answer = await user.call(checkCallabilityEndpoint, {
    phone: '+1 217 555 0100',
    state: 'IL',
    postalCode: '62701',
    at: EARLY,
  });
  expect(answer.reasons).toContainEqual({
    code: 'own_rule',
    text: 'Your own rule for IL: 09:00–17:00 Mon, Tue, Wed, Thu, Fri',
    citation: 'your own rule, not a law: “Office hours only”',
  });
  const ended = await admin.call(endCallingRuleEndpoint, { reason: 'The team grew' }, { id: rule?.id ?? '' });
  expect(ended.rules).toMatchObject([{ id: rule?.id, ended: { by: admin.email, reason: 'The team grew' } }]);
  expect((await windowAt(EARLY)).state).toBe('open');
  const { rows } = await sql<{ action: string; details: object }>`
    select action, details from app.audit_log where target = ${rule?.id ?? ''} order by id
  `.execute(product.db);
  expect(rows).toMatchObject([
    { action: 'calling.rule_added', details: { state: 'IL', reason: 'Office hours only' } },
    { action: 'calling.rule_ended', details: { state: 'IL', reason: 'The team grew' } },
  ]);
});

test('a rule changes on its dates by itself', async () => {
  const { rules } = await admin.call(addCallingRuleEndpoint, {
    ...RULE,
    state: 'WA',
    effectiveFrom: '2029-12-09',
    effectiveTo: '2029-12-09',
    days: [],
    reason: 'Day off',
  });
  const seattle = (day: string) => windowAt(`${day}T20:00:00Z`, 'WA', '98101');
  expect((await seattle('2029-12-08')).state).toBe('open');
  expect(await seattle('2029-12-09')).toEqual({ state: 'closed', opensAt: '2029-12-10T16:00:00.000Z' });
  expect((await seattle('2029-12-10')).state).toBe('open');
  await admin.call(endCallingRuleEndpoint, { reason: 'Over' }, { id: rules[0]?.id ?? '' });
});

test('own rules of a state are one law, and each new one only takes hours away', async () => {
  const reason = 'Hours of the office';
  const add = async (rule: Partial<NewOwnRule>) =>
    (await admin.call(addCallingRuleEndpoint, { ...RULE, state: 'OH', reason, ...rule })).rules.find(
      ({ ended }) => !ended,
    )?.id ?? '';
  const ohio = (time: string) => windowAt(`${time}:00Z`, 'OH', '43215', '+1 614 555 0100');
  const ids = [await add({ days: [1, 2, 3, 4, 5, 6] }), await add({ days: [6], from: '10:00', to: '14:00' })];
  // Wednesday noon, Saturday at 9:30 and at 11, and Sunday.
  expect(await ohio('2029-12-12T17:00')).toMatchObject({ state: 'open', closesAt: '2029-12-12T22:00:00.000Z' });
  expect(await ohio('2029-12-15T14:30')).toMatchObject({ state: 'closed', opensAt: '2029-12-15T15:00:00.000Z' });
  expect(await ohio('2029-12-15T16:00')).toMatchObject({ state: 'open', closesAt: '2029-12-15T19:00:00.000Z' });
  expect(await ohio('2029-12-16T17:00')).toMatchObject({ state: 'closed', opensAt: '2029-12-17T14:00:00.000Z' });
  // A day of shorter hours takes hours away.
  const shortDay = { effectiveFrom: '2029-12-27', effectiveTo: '2029-12-27' };
  ids.push(await add({ ...shortDay, days: [4], from: '10:00', to: '12:00' }));
  expect(await ohio('2029-12-27T18:00')).toMatchObject({ state: 'closed', opensAt: '2029-12-28T14:00:00.000Z' });
  expect(await ohio('2029-12-20T18:00')).toMatchObject({ state: 'open' });
  // What would open a day or hour, or change nothing, is refused.
  const everyDay = { state: 'OH', days: [0, 1, 2, 3, 4, 5, 6], from: '08:00', to: '20:00' };
  expect(await refused({ ...everyDay, cap: { calls: 2, hours: 24 } })).toBe(
    'CONFLICT: A new rule can only take hours away from your older rules for OH. They close Sunday from 08:00 to 20:00. End an older rule first, or change this one.',
  );
  expect(await refused({ state: 'OH', days: [6], from: '15:00' })).toMatch(/They close Saturday from 15:00 to 17:00/);
  expect(await refused({ state: 'OH' })).toMatch(/takes none away/);
  const both = await Promise.all([refused({ state: 'WA', days: [1] }), refused({ state: 'WA', days: [6] })]);
  expect(both.toSorted()).toEqual([expect.stringMatching(/^CONFLICT/), 'accepted']);
  // A day off closes all of them.
  ids.push(await add({ effectiveFrom: '2029-12-19', effectiveTo: '2029-12-19', days: [] }));
  expect(await ohio('2029-12-19T17:00')).toEqual({ state: 'closed', opensAt: '2029-12-20T14:00:00.000Z' });
  expect(await ohio('2029-12-18T23:00')).toMatchObject({ state: 'closed', opensAt: '2029-12-20T14:00:00.000Z' });
  const { rules } = await admin.call(readCallingRulesEndpoint);
  ids.push(...rules.flatMap(({ id, state, ended }) => (state === 'WA' && !ended ? [id] : [])));
  for (const id of ids) await admin.call(endCallingRuleEndpoint, { reason: 'Tried out' }, { id });
});

test.each([
  [{ from: '07:00' }, /before 08:00 \(47 CFR/],
  [{ to: '21:30' }, /after 21:00 \(47 CFR/],
  [{ from: '17:00', to: '09:00' }, /end must be later/],
  [{ effectiveFrom: '2027-01-02', effectiveTo: '2027-01-01' }, /last day must not be before/],
  [{ effectiveTo: '2026-01-01' }, /last day of this rule is over/],
  [{ reason: 'x' }, /Say why/],
  [{ state: 'Illinois' }, /two letters/],
  [{ state: 'QQ' }, /QQ is not a state/],
  [{ cap: { calls: 0, hours: 24 } }, /1 to 100 calls/],
  [
    { state: 'FL', to: '21:00' },
    /stricter than the law\. 21:00 is later than 20:00, when F\.S\. §501\.616\(6\) ends them/,
  ],
  [{ state: 'FL', cap: { calls: 5, hours: 24 } }, /F\.S\. §501\.616\(6\) allows 3 calls in 24 hours/],
  [{ state: 'AL', days: [0, 1] }, /Ala\. Admin\. Code 770-X-5-\.17 allows no calls on Sunday/],
  [{ state: 'PA', from: '08:00' }, /earlier than 09:00, when Act 47 of 2026/],
  [{ state: 'PA', to: '20:00' }, /later than 19:00/],
  [{ state: 'KY' }, /KRS 367\.46955/],
  [{ state: 'US', to: '21:00', days: [0, 1, 2, 3, 4, 5, 6], from: '08:00' }, /^accepted$/],
])('%j: a looser rule is refused in words', async (rule, message) => {
  expect(await refused(rule)).toMatch(message);
});

test('landlines of businesses are judged without rules for residences once an administrator says why', async () => {
  const listId = await buildListOf(
    product.db,
    user.id,
    [
      {
        phone: '+1 617-555-0110',
        address: '1 Invented Street, Boston, MA 02108, USA',
        compliance_status: 'safe',
        compliance_checked_at: new Date('2026-12-01'),
        phone_type: 'landline',
      },
    ],
    { sandbox: false },
  );
  const [lead] = await readLeads(product.db, listId);
  const evening = async () =>
    user.call(leadCallabilityEndpoint, undefined, { id: lead?.id ?? '', at: '2026-12-09T01:30:00Z' });
  expect(await evening()).toMatchObject({ verdict: 'not_now', scope: 'every_line' });
  const set = await admin.call(setCallScopeEndpoint, {
    scope: 'business_landlines',
    reason: 'Each line was called and answered by a firm',
  });
  expect(set).toMatchObject({
    scope: 'business_landlines',
    scopes: [{ by: admin.email, reason: 'Each line was called and answered by a firm' }],
  });
  const answer = await evening();
  expect(answer).toMatchObject({
    verdict: 'callable',
    scope: 'business_landlines',
    checkedOn: '2026-12-01T00:00:00.000Z',
  });
  expect(answer.notChecked.length).toBeGreaterThan(3);
  expect(answer.callFrom).toBe('2026-12-09T01:30:00.000Z');
  const back = await admin.call(setCallScopeEndpoint, { scope: 'every_line', reason: 'Not sure of all of them' });
  expect(back.scopes.map(({ scope }) => scope)).toEqual(['every_line', 'business_landlines']);
  expect(await evening()).toMatchObject({ verdict: 'not_now', scope: 'every_line' });
});

test('the evidence and the audit log say what a choice of the scope has replaced, of two at once too', async () => {
  const choose = (scope: 'business_landlines' | 'every_line') =>
    admin.call(setCallScopeEndpoint, { scope, reason: 'One after the other' });
  await choose('every_line');
  await Promise.all([choose('business_landlines'), choose('business_landlines')]);
  await choose('every_line');
  const changes = [
    ['every_line', 'every_line'],
    ['every_line', 'business_landlines'],
    ['business_landlines', 'business_landlines'],
    ['business_landlines', 'every_line'],
  ].map(([before, after]) => ({ before, after }));
  const { rows: entries } = await sql<object>`
    select facts ->> 'before' as before, facts ->> 'after' as after from app.evidence
    where kind = 'rules.overridden' and facts ->> 'rule' = 'scope' order by ticket desc limit 4
  `.execute(product.db);
  expect(entries.toReversed()).toEqual(changes);
  const { rows: audited } = await sql<object>`
    select details ->> 'before' as before, target as after from app.audit_log
    where action = 'calling.scope_set' order by id desc limit 4
  `.execute(product.db);
  expect(audited.toReversed()).toEqual(changes);
});

test('the table is shown with its sources, and decisions outlive their account', async () => {
  const leaver = await product.admin();
  await leaver.call(setCallScopeEndpoint, { scope: 'every_line', reason: 'A last decision' });
  await sql`delete from auth.users where id = ${leaver.id}`.execute(product.db);
  const { scopes, law, rulesAsOf } = await admin.call(readCallingRulesEndpoint);
  expect(scopes[0]).toMatchObject({ by: leaver.email, reason: 'A last decision' });
  expect(law.find(({ citation }) => citation === 'F.S. §501.616(6)')).toMatchObject({
    state: 'FL',
    scope: 'any',
    hours: 'FL: 08:00–20:00 every day',
    source: expect.any(String),
    due: false,
  });
  expect(rulesAsOf).toMatch(/^\d{4}-\d{2}-\d{2}$/);
});

test('rules whose last day is over never push one that holds out of sight, or out of what a new one is measured against', async () => {
  const rule = { ...RULE, state: 'VA' };
  const { rules } = await admin.call(addCallingRuleEndpoint, rule);
  await sql`
    insert into app.calling_rules (state, days, from_time, to_time, reason, effective_to, added_by_email, added_at)
    select 'AK', '{1}', '09:00', '17:00', 'A week of long ago', '2026-01-05', 'gone@agency.example', now() + interval '1 second'
    from generate_series(1, 501)
  `.execute(product.db);
  const id = rules.find(({ state }) => state === 'VA')?.id;
  expect((await admin.call(readCallingRulesEndpoint)).rules.map((one) => one.id)).toContain(id);
  const saturday = { ...rule, days: [6] };
  await expect(admin.call(addCallingRuleEndpoint, saturday)).rejects.toMatchObject({ code: 'CONFLICT' });
});

test('the server’s own role cannot rewrite who chose the scope', async () => {
  await expect(
    product.db.transaction().execute(async (tx) => {
      await sql`set local role service_role`.execute(tx);
      await sql`update app.calling_scopes set reason = 'another'`.execute(tx);
    }),
  ).rejects.toThrow(/permission denied/);
});
