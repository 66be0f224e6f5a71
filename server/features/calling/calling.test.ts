import { beforeAll, expect, test } from 'vitest';
import {
  checkCallabilityEndpoint,
  leadCallabilityEndpoint,
  leadVerdictsEndpoint,
  listCallabilityEndpoint,
} from '#contract/calling/callability.ts';
import { addSuppressionEndpoint } from '#contract/calling/suppressions.ts';
import { checkComplianceEndpoint } from '#contract/work/compliance.ts';
import { buildListOf, readLeads } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

const DAY_MS = 86_400_000;
/** A Tuesday noon in Chicago, within the 31 days of the checks below. */
const noon = () => {
  const day = new Date(Date.now() + DAY_MS);
  while (day.getUTCDay() !== 2) day.setUTCDate(day.getUTCDate() + 1);
  day.setUTCHours(18, 0, 0, 0);
  return day;
};

let product: Product;
let user: TestUser;
let other: TestUser;
beforeAll(async () => {
  product = await startProduct();
  [user, other] = await Promise.all([product.user(), product.user()]);
});

const clean = { compliance_status: 'safe', compliance_checked_at: new Date(), phone_type: 'landline' };
const SPRINGFIELD = '12 Main Street, Springfield, IL 62701, USA';

test('the leads of a list are counted by verdict, and by when they open', async () => {
  const listId = await buildListOf(
    product.db,
    user.id,
    [
      { business_name: 'Open', phone: '+1 217-555-0100', address: SPRINGFIELD, ...clean },
      { business_name: 'Never checked', phone: '+1 217-555-0101', address: SPRINGFIELD },
      { business_name: 'Undated', phone: '+1 217-555-0102', address: SPRINGFIELD, compliance_status: 'safe' },
      { business_name: 'Listed', phone: '+1 217-555-0103', address: SPRINGFIELD, ...clean, compliance_status: 'dnc' },
      { business_name: 'No address', phone: '+1 217-555-0104', ...clean },
      { business_name: 'No phone', address: SPRINGFIELD, ...clean },
      {
        business_name: 'Later',
        phone: '+1 808-555-0105',
        address: '1 Invented Street, Honolulu, HI 96813, USA',
        ...clean,
      },
      { business_name: 'Silent', phone: '+1 217-555-0106', address: SPRINGFIELD, ...clean },
    ],
    { sandbox: false },
  );
  await other.call(addSuppressionEndpoint, { kind: 'phone', value: '217 555 0106' });
  const leads = await readLeads(product.db, listId);
  const morning = new Date(noon().getTime() - 3 * 3_600_000).toISOString();
  const query = { listId, at: morning };
  const answer = await user.call(listCallabilityEndpoint, undefined, query);
  expect(answer.counts).toEqual({ callable: 1, not_now: 1, blocked: 2, review: 0, unknown: 4 });
  const opensAt = new Date(noon().getTime()).toISOString();
  expect(answer.opening).toEqual([{ opensAt, leads: 1, inReview: 0 }]);
  const ids = leads.map(({ id }) => id).join();
  const named = await user.call(leadVerdictsEndpoint, undefined, { ...query, ids });
  const verdicts = new Map(named.leads.map(({ id, verdict }) => [id, verdict]));
  expect(leads.map(({ id }) => verdicts.get(id))).toEqual([
    'callable',
    'unknown',
    'unknown',
    'blocked',
    'unknown',
    'unknown',
    'not_now',
    'blocked',
  ]);
  expect(named.leads.find(({ id }) => id === leads[6]?.id)?.opensAt).toBe(opensAt);
  const after = new Date(noon().getTime() + 32 * DAY_MS).toISOString();
  const later = await user.call(listCallabilityEndpoint, undefined, { listId, at: after });
  expect(later.counts.callable).toBe(0);
});

test('no opening is told of a lead whose check runs out before it', async () => {
  const before = (ms: number) => ({ ...clean, compliance_checked_at: new Date(noon().getTime() - 31 * DAY_MS + ms) });
  const listId = await buildListOf(
    product.db,
    user.id,
    [
      { business_name: 'In time', phone: '+1 217-555-0130', address: SPRINGFIELD, ...before(0) },
      { business_name: 'Too late', phone: '+1 217-555-0131', address: SPRINGFIELD, ...before(-5 * 3_600_000) },
      { business_name: 'Never', phone: '+1 217-555-0132', address: SPRINGFIELD },
    ],
    { sandbox: false },
  );
  const ids = (await readLeads(product.db, listId)).map(({ id }) => id).join();
  // 6 in the morning in Chicago: calls may begin at 8.
  const at = new Date(noon().getTime() - 6 * 3_600_000).toISOString();
  const { leads } = await user.call(leadVerdictsEndpoint, undefined, { listId, ids, at });
  const told = leads.map(({ verdict, opensAt }) => [verdict, opensAt]);
  const opensAt = new Date(noon().getTime() - 4 * 3_600_000).toISOString();
  expect(told).toHaveLength(3);
  expect(told).toEqual(
    expect.arrayContaining([
      ['not_now', opensAt],
      ['not_now', undefined],
      ['unknown', undefined],
    ]),
  );
});

test('a lead says why, with the law', async () => {
  const listId = await buildListOf(
    product.db,
    user.id,
    [{ phone: '+1 (850) 555-0110', address: '1 Invented Street, Pensacola, FL 32501, USA', ...clean }],
    { sandbox: false },
  );
  const [lead] = await readLeads(product.db, listId);
  const answer = await user.call(leadCallabilityEndpoint, undefined, { id: lead?.id ?? '', at: noon().toISOString() });
  expect(answer).toMatchObject({ verdict: 'callable', window: { state: 'open' } });
  expect(answer.reasons.some(({ citation }) => citation?.includes('501.616'))).toBe(true);
  expect(answer.today).toEqual({
    from: '08:00',
    to: '20:00',
    zone: 'America/Chicago',
    citation: expect.stringContaining('501.616'),
  });
  await expect(other.call(leadCallabilityEndpoint, undefined, { id: lead?.id ?? '' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});

test('a number is judged by what the caller has checked before, and nothing is paid', async () => {
  const at = noon().toISOString();
  const ask = (who: TestUser, phone: string) =>
    who.call(checkCallabilityEndpoint, { phone, state: 'IL', postalCode: '62701', at });
  const askers = { sandbox: await product.user(), real: await product.user() };
  await askers.sandbox.connect('searchbug', 'sandbox-asker');
  await askers.real.connect('searchbug', '1234567:real-ask1');
  expect(await ask(askers.real, '(217) 555-0140')).toMatchObject({
    verdict: 'unknown',
    window: { state: 'open' },
    zones: ['America/Chicago'],
    reasons: expect.arrayContaining([expect.objectContaining({ code: 'never_checked' })]),
  });
  const phones = Array.from({ length: 20 }, (_, index) => ({ phone: `+1 217-555-01${40 + index}` }));
  for (const [kind, asker] of Object.entries(askers)) {
    const listId = await buildListOf(product.db, asker.id, phones, { sandbox: kind === 'sandbox' });
    await asker.call(checkComplianceEndpoint, { list_id: listId });
    const safe = (await readLeads(product.db, listId)).find((lead) => lead.compliance_status === 'safe');
    const answer = await ask(asker, safe?.phone ?? '');
    expect(answer.verdict).toBe(kind === 'sandbox' ? 'unknown' : 'callable');
    if (kind === 'sandbox') {
      expect(answer.reasons[0]?.code).toBe('sandbox_check');
      continue;
    }
    expect((await ask(user, safe?.phone ?? '')).verdict).toBe('unknown');
    await other.call(addSuppressionEndpoint, { kind: 'phone', value: safe?.phone ?? '' });
    expect((await ask(asker, safe?.phone ?? '')).verdict).toBe('blocked');
  }
  expect(product.real.meter.rows().filter(({ key }) => key.endsWith('ask1'))).toHaveLength(1);
});

test.each([
  [{ phone: ' ' }, 'Enter a phone number.'],
  [{ phone: '2175550100', state: 'XX', postalCode: '62701' }, 'two letters, such as IL'],
  [{ phone: '2175550100', state: 'Ontario', address: '1 Main Street, Springfield, IL 62701' }, 'no such state'],
  [{ phone: '2175550100', postalCode: '6270' }, 'five digits'],
  [{ phone: '2175550100', at: 'tomorrow' }, 'at must be a time'],
  [{ phone: '2175550100', at: '1999-01-01T00:00:00Z' }, 'from 2020 to 2030'],
])('%j is refused', async (body, message) => {
  await expect(user.call(checkCallabilityEndpoint, body)).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    message: expect.stringContaining(message),
  });
});

test('a state may be told by its letters or its name', async () => {
  for (const state of ['IL', 'il', 'Illinois', 'D.C.', 'new york', 'PR']) {
    const { reasons } = await user.call(checkCallabilityEndpoint, { phone: '2175550100', state });
    expect(
      reasons.map(({ code }) => code),
      state,
    ).not.toContain('no_address');
  }
});

test('a link to a number is that number', async () => {
  const body = { state: 'NY', postalCode: '10001', at: noon().toISOString() };
  for (const phone of ['tel:2125550149', 'TEL:+1-212-555-0149', 'tel:+12125550149;ext=7']) {
    const { reasons } = await user.call(checkCallabilityEndpoint, { ...body, phone });
    expect(reasons[0]?.code, phone).toBe('never_checked');
  }
});

test('text that is no number has no verdict, and breaks nothing', async () => {
  for (const phone of ['call me', '123', '+44 20 7946 0000', '☎'.repeat(50)])
    expect(await user.call(checkCallabilityEndpoint, { phone, state: 'TX' })).toMatchObject({ verdict: 'unknown' });
});

test('a number is blocked where one of the caller’s own leads behind it is suppressed by any key, and tells nothing of others', async () => {
  const leads = [
    { business_name: 'Behind Domain', phone: '(217) 555-0181', website: 'https://www.behind-domain.example' },
    { business_name: 'Behind Email', phone: '(217) 555-0182', email: 'stop@behind-mail.example' },
    { business_name: 'Behind Company Roofing', phone: '(217) 555-0183' },
    { business_name: 'Behind Place', phone: '(217) 555-0184', place_id: 'ChIJbehind_place' },
  ];
  await buildListOf(product.db, user.id, [...leads, { business_name: 'Free', phone: '(217) 555-0185' }], {
    sandbox: null,
  });
  const verdictOf = async (who: TestUser, phone: string) =>
    (await who.call(checkCallabilityEndpoint, { phone, address: SPRINGFIELD })).verdict;
  for (const { phone } of leads) expect(await verdictOf(user, phone)).toBe('unknown');
  for (const [kind, value] of [
    ['domain', 'behind-domain.example'],
    ['email', 'stop@behind-mail.example'],
    ['company', 'Behind Company Roofing, LLC'],
    ['business', 'ChIJbehind_place'],
  ] as const)
    await other.call(addSuppressionEndpoint, { kind, value });
  for (const { phone } of leads) {
    expect([phone, await verdictOf(user, phone)]).toEqual([phone, 'blocked']);
    expect([phone, await verdictOf(other, phone)]).toEqual([phone, 'unknown']);
  }
  expect(await verdictOf(user, '217 555 0185')).toBe('unknown');
});
