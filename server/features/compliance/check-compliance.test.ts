import { beforeAll, expect, test } from 'vitest';
import { checkComplianceEndpoint, VERDICT_VALID_MS } from '#contract/work/compliance.ts';
import { buildListOf, readCalls, readLeads, readList, readRuns } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
let number = 0;
beforeAll(async () => {
  product = await startProduct();
});

async function userWithKey(fault = ''): Promise<{ user: TestUser; key: string }> {
  const user = await product.user();
  number += 1;
  const key = `sandbox-comply${number}${fault}`;
  await user.connect('searchbug', key);
  return { user, key };
}
/** Area codes and line numbers that exist, in the range reserved for fiction. */
const AREAS = ['217', '512', '212', '310', '415', '602', '702'];
const phones = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    phone: `+1 ${AREAS[index % AREAS.length]}-555-01${String(Math.floor(index / AREAS.length)).padStart(2, '0')}`,
  }));
const check = (who: TestUser, listId: string, lead_ids?: string[]) =>
  who.call(checkComplianceEndpoint, { list_id: listId, ...(lead_ids ? { lead_ids } : {}) });
const billed = (key: string) =>
  product.sandbox.meter
    .rows()
    .filter((row) => row.provider === 'searchbug' && row.key.endsWith(key))
    .reduce((sum, row) => sum + row.billedUnits, 0);

test('numbers are checked in batches, and every lead gets what the provider said', async () => {
  const { user, key } = await userWithKey();
  const listId = await buildListOf(product.db, user.id, [
    ...phones(50),
    { phone: '(217) 555-0100' },
    { phone: '+44 1624 555 0123' },
    { phone: null },
  ]);
  const data = await check(user, listId);
  const leads = await readLeads(product.db, listId);
  const count = (...statuses: string[]) => leads.filter((lead) => statuses.includes(lead.compliance_status)).length;
  expect(data).toEqual({
    total: data.safe + data.flagged,
    safe: count('safe'),
    flagged: count('dnc', 'litigator'),
    cost: 1,
  });
  expect(data.safe).toBeGreaterThan(10);
  expect(data.flagged).toBeGreaterThan(0);
  expect(billed(key)).toBe(50);
  expect(leads[50]).toMatchObject({ compliance_status: leads[0]?.compliance_status });
  expect(leads[51]).toMatchObject({ compliance_status: 'not_checked', compliance_reason: 'Not a US number' });
  expect(leads[52]).toMatchObject({ compliance_status: 'not_checked', compliance_reason: 'No phone number' });
  for (const lead of leads.filter((one) => one.compliance_status === 'safe' || one.compliance_status === 'dnc')) {
    expect(lead.compliance_checked_at).toBeInstanceOf(Date);
    expect(lead.compliance_call_id).toBeTruthy();
  }
  expect(leads.some((lead) => lead.phone_type === 'mobile')).toBe(true);
  for (const lead of leads.slice(0, 50).filter((one) => one.compliance_status === 'not_checked'))
    expect(lead.compliance_reason).toBeTruthy();
  const batches = new Set((await readCalls(product.db, user.id)).map((call) => call.batch_id));
  expect(batches.size).toBe(3);
  const unclear = leads.slice(0, 51).some((lead) => lead.compliance_status === 'not_checked');
  expect(await readList(product.db, listId)).toMatchObject({
    status: 'completed',
    compliance_checked: !unclear,
    compliance_cost_micros: 1_000_000,
  });
});

test('a check that does not know the kind of a line leaves none of an earlier check', async () => {
  const { user } = await userWithKey();
  const before = { compliance_status: 'safe', compliance_checked_at: new Date('2026-01-05'), phone_type: 'landline' };
  const listId = await buildListOf(
    product.db,
    user.id,
    phones(100).map((one) => ({ ...one, ...before })),
  );
  await check(user, listId);
  const fresh = await buildListOf(product.db, user.id, phones(100));
  await check(user, fresh);
  const kinds = async (id: string) =>
    (await readLeads(product.db, id)).flatMap(({ compliance_status, phone, phone_type }) =>
      compliance_status === 'not_checked' ? [] : [`${phone} ${phone_type}`],
    );
  expect(await kinds(listId)).toEqual(await kinds(fresh));
  expect((await kinds(listId)).filter((one) => one.endsWith(' null')).length).toBeGreaterThan(0);
});

test('a list is checked once every US number has a verdict', async () => {
  const { user } = await userWithKey();
  const listId = await buildListOf(product.db, user.id, phones(30));
  await check(user, listId);
  const clear = (await readLeads(product.db, listId)).filter((lead) => lead.compliance_status !== 'not_checked');
  const clearList = await buildListOf(product.db, user.id, [...clear.map(({ phone }) => ({ phone })), { phone: null }]);
  await check(user, clearList);
  expect(await readList(product.db, clearList)).toMatchObject({ compliance_checked: true, compliance_cost_micros: 0 });
});

test('verdicts are remembered for 31 days at most, litigators for good', async () => {
  const { user, key } = await userWithKey();
  const listId = await buildListOf(product.db, user.id, phones(40));
  await check(user, listId);
  const before = await readLeads(product.db, listId);
  const another = await buildListOf(product.db, user.id, phones(40));
  await check(user, another);
  expect(billed(key)).toBe(40);
  const after = await readLeads(product.db, another);
  const verdict = (lead: (typeof after)[number]) => [lead.compliance_status, lead.compliance_checked_at];
  expect(after.map(verdict)).toEqual(before.map(verdict));

  const answers = await product.db.selectFrom('app.answers').selectAll().where('user_id', '=', user.id).execute();
  for (const { answer, answered_at, expires_at } of answers) {
    const { status } = answer as { status: string };
    if (status === 'litigator') expect(expires_at).toBeNull();
    else expect((expires_at?.getTime() ?? Infinity) - answered_at.getTime()).toBeLessThanOrEqual(31 * 86_400_000);
  }
  expect(answers.some(({ answer }) => (answer as { status: string }).status === 'litigator')).toBe(true);
  await product.db
    .updateTable('app.answers')
    .set({ expires_at: new Date(0) })
    .where('user_id', '=', user.id)
    .where('expires_at', 'is not', null)
    .execute();
  await check(user, another);
  expect(billed(key)).toBe(40 + answers.filter(({ expires_at }) => expires_at !== null).length);
});

test('only the named leads are checked; leads of another list are not found', async () => {
  const { user, key } = await userWithKey();
  const listId = await buildListOf(product.db, user.id, phones(10));
  const ids = (await readLeads(product.db, listId)).map((lead) => lead.id);
  await check(user, listId, ids.slice(0, 3));
  expect(billed(key)).toBe(3);
  expect((await readList(product.db, listId)).compliance_checked).toBe(false);
  const foreign = await buildListOf(product.db, user.id, phones(1));
  const [lead] = await readLeads(product.db, foreign);
  for (const id of [lead?.id ?? '', 'nonsense', '00000000-0000-4000-8000-000000000000'])
    await expect(check(user, listId, [id])).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  expect(billed(key)).toBe(3);
});

test('all leads that match are checked but those left out; nothing left to check is refused', async () => {
  const { user, key } = await userWithKey();
  const numbers = phones(4).map((lead, index) => ({ ...lead, business_name: index < 3 ? 'Dentist' : 'Plumber' }));
  const listId = await buildListOf(product.db, user.id, numbers);
  const [first] = await readLeads(product.db, listId);
  const choice = { matching: { q: 'dentist' }, except: [first?.id ?? ''] };
  await user.call(checkComplianceEndpoint, { list_id: listId, ...choice });
  expect(billed(key)).toBe(2);
  const checked = (await readLeads(product.db, listId)).map((lead) => lead.compliance_checked_at !== null);
  expect(checked).toEqual([false, true, true, false]);
  const nothing = { list_id: listId, matching: { q: 'bakery' } };
  await expect(user.call(checkComplianceEndpoint, nothing)).rejects.toMatchObject({
    status: 422,
    message: 'No lead of this list is selected anymore.',
  });
});

test('a list without US numbers sends nothing, is done with, and none of its numbers is called safe', async () => {
  const { user, key } = await userWithKey();
  const listId = await buildListOf(product.db, user.id, [{ phone: '+44 1624 555 0123' }, { phone: null }]);
  expect(await check(user, listId)).toEqual({ total: 0, safe: 0, flagged: 0, cost: 0 });
  expect(billed(key)).toBe(0);
  expect(await readList(product.db, listId)).toMatchObject({ status: 'completed', compliance_checked: true });
  const leads = await readLeads(product.db, listId);
  expect(leads.map((lead) => lead.compliance_status)).toEqual(['not_checked', 'not_checked']);
});

test('two tabs at once pay each number once', async () => {
  const { user, key } = await userWithKey();
  const lists = await Promise.all([1, 2].map(() => buildListOf(product.db, user.id, phones(45))));
  await Promise.all(lists.flatMap((listId) => [check(user, listId), check(user, listId)]));
  expect(billed(key)).toBe(45);
  expect(await readRuns(product.db, user.id)).toHaveLength(2);
});

test.each([
  ['bad-key', 422, 'PROVIDER_BAD_CREDENTIALS'],
  ['out-of-credit', 402, 'OUT_OF_CREDIT'],
])('%s stops the run with a message and costs nothing', async (fault, status, code) => {
  const { user } = await userWithKey(`-${fault}`);
  const listId = await buildListOf(product.db, user.id, phones(3));
  await expect(check(user, listId)).rejects.toMatchObject({
    status,
    code,
    message: expect.stringContaining('SearchBug'),
  });
  expect(await readList(product.db, listId)).toMatchObject({ status: 'failed', compliance_cost_micros: 0 });
});

test.each(['down', 'malformed'])(
  'a lost answer (%s) leaves numbers unchecked, booked, and never asked again',
  async (fault) => {
    const { user, key } = await userWithKey(`-${fault}`);
    const listId = await buildListOf(product.db, user.id, phones(4));
    expect(await check(user, listId)).toEqual({ total: 0, safe: 0, flagged: 0, cost: 0.08 });
    const leads = await readLeads(product.db, listId);
    expect(leads.every((lead) => lead.compliance_status === 'not_checked')).toBe(true);
    expect(leads[0]?.compliance_reason).toContain('may have been charged');
    expect(await readList(product.db, listId)).toMatchObject({ status: 'completed', compliance_checked: false });
    expect((await readRuns(product.db, user.id))[0]?.totals).toMatchObject({ numbersUncertain: 4, numbersDone: 0 });

    const calls = () =>
      product.sandbox.meter
        .rows()
        .filter((row) => row.provider === 'searchbug')
        .reduce((sum, row) => sum + row.calls, 0);
    const before = calls();
    await user.connect('searchbug', key.replace(`-${fault}`, ''));
    await check(user, listId);
    expect(calls()).toBe(before);
  },
);

test('a rate limit is waited for inside the run', async () => {
  const { user, key } = await userWithKey('-rate-limited');
  const listId = await buildListOf(product.db, user.id, phones(3));
  await check(user, listId);
  expect(billed(key)).toBe(3);
});

test('without a key the list fails with the text of the spec; a stranger finds nothing', async () => {
  const user = await product.user();
  const listId = await buildListOf(product.db, user.id, phones(1));
  await expect(check(user, listId)).rejects.toMatchObject({
    status: 400,
    code: 'MISSING_API_KEY',
    message: 'SearchBug API key is missing. Add it in Settings > API Providers.',
  });
  expect((await readList(product.db, listId)).status).toBe('failed');
  const { user: other } = await userWithKey();
  await expect(check(other, listId)).rejects.toMatchObject({ status: 404 });
  const leads = (await readLeads(product.db, listId)).map((lead) => lead.id);
  await expect(check(other, listId, leads)).rejects.toMatchObject({ status: 404 });
});

test('a check of chosen leads does not make up for a verdict that has run out', async () => {
  const { user } = await userWithKey();
  const [first = {}, second = {}] = phones(2);
  const over = { compliance_status: 'safe', compliance_checked_at: new Date(Date.now() - VERDICT_VALID_MS - 60_000) };
  const listId = await buildListOf(product.db, user.id, [{ ...first, ...over }, second]);
  const [old, other] = (await readLeads(product.db, listId)).map((lead) => lead.id);
  await check(user, listId, [other ?? '']);
  expect((await readList(product.db, listId)).compliance_checked).toBe(false);
  // What has run out is not part of the summary either.
  expect(await check(user, listId, [other ?? ''])).toMatchObject({ total: 1 });
  await check(user, listId, [old ?? '']);
  expect((await readList(product.db, listId)).compliance_checked).toBe(true);
});

test('a checked list says when the first of its verdicts runs out', async () => {
  const { user } = await userWithKey();
  const listId = await buildListOf(product.db, user.id, phones(8));
  await check(user, listId);
  const verdicts = (await readLeads(product.db, listId)).filter((lead) => lead.compliance_status !== 'litigator');
  const times = verdicts.map((lead) => lead.compliance_checked_at?.getTime() ?? Number.NaN);
  expect(times.length).toBeGreaterThan(0);
  expect((await readList(product.db, listId)).compliance_expires_at?.getTime()).toBe(
    Math.min(...times) + VERDICT_VALID_MS,
  );
});
