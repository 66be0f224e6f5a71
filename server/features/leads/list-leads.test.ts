import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { listCallabilityEndpoint } from '#contract/calling/callability.ts';
import type { QueryOf } from '#contract/endpoint.ts';
import type { LeadFilter } from '#contract/work/lead-choice.ts';
import { countLeadsEndpoint } from '#contract/work/lead-counts.ts';
import { listLeadsEndpoint } from '#contract/work/leads-of-list.ts';
import { buildListOf } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

const DAY_MS = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * DAY_MS);

const LEADS = [
  {
    business_name: 'Dentist 10',
    phone: '+1 512-555-0110',
    email: 'ten@dentist.example',
    email_confidence: 95,
    website: 'https://ten.example',
    owner_name: 'Olive Invented',
    email_verified: true,
    address: '10 Main Street, Springfield, IL 62701, USA',
    compliance_status: 'safe',
    compliance_checked_at: ago(1),
  },
  {
    business_name: 'Dentist 2',
    phone: '+1 512-555-0102',
    website: 'https://two.example',
    address: '62702 Old Road, Chicago, IL 60601, USA',
    compliance_status: 'dnc',
    compliance_checked_at: ago(2),
  },
  {
    business_name: 'a 100% café',
    phone: '',
    email: 'hello@cafe.example',
    email_confidence: 60,
    address: '1 Springfield Way, Peoria, IL 62702, USA',
    compliance_status: 'safe',
    compliance_checked_at: ago(40),
  },
  { business_name: 'Zed', compliance_status: 'litigator', compliance_checked_at: ago(400), created_at: ago(10) },
  { business_name: 'dentist 2', phone: '+1 512-555-0103', owner_title: 'Manager' },
];

let product: Product;
let user: TestUser;
let listId: string;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  user = await product.user();
  listId = await buildListOf(product.db, user.id, LEADS);
  await buildListOf(product.db, user.id, [{ business_name: 'Elsewhere' }]);
});

type View = Partial<QueryOf<typeof listLeadsEndpoint>>;
const read = (view: View = {}, id = listId) => {
  const set = Object.entries(view).map(([name, value]) => [name, String(value)]);
  return user.call(listLeadsEndpoint, undefined, { ...Object.fromEntries(set), listId: id });
};
const names = async (view: View = {}) => (await read(view)).leads.map((lead) => lead.business_name);
const count = (matching: LeadFilter = {}) => user.call(countLeadsEndpoint, { matching }, { listId });

describe('filters', () => {
  test.each<[LeadFilter, string[]]>([
    [{}, ['Dentist 10', 'Dentist 2', 'a 100% café', 'Zed', 'dentist 2']],
    [{ q: 'DENTIST' }, ['Dentist 10', 'Dentist 2', 'dentist 2']],
    [{ q: '100%' }, ['a 100% café']],
    [{ q: 'a_100' }, []],
    [{ q: 'olive' }, ['Dentist 10']],
    [{ q: '555-0103' }, ['dentist 2']],
    [{ q: 'É' }, ['a 100% café']],
    [{ q: 'öld' }, []],
    [{ q: 'CAFÉ' }, ['a 100% café']],
    [{ has: 'phone' }, ['Dentist 10', 'Dentist 2', 'dentist 2']],
    [{ has: 'email,website' }, ['Dentist 10']],
    [{ has: 'owner' }, ['Dentist 10']],
    [{ lacks: 'website' }, ['a 100% café', 'Zed', 'dentist 2']],
    [{ lacks: 'phone,website', has: 'email' }, ['a 100% café']],
    [{ verdict: 'safe' }, ['Dentist 10']],
    [{ verdict: 'dnc' }, ['Dentist 2']],
    [{ verdict: 'litigator' }, ['Zed']],
    [{ verdict: 'not_checked' }, ['a 100% café', 'dentist 2']],
    [{ verdict: 'expired' }, ['a 100% café']],
    [{ city: 'springfield' }, ['Dentist 10']],
    [{ city: 'spring' }, []],
    [{ zip: '62702' }, ['a 100% café']],
    [{ confidence: 90 }, ['Dentist 10']],
    [{ since: ago(3).toISOString().slice(0, 10) }, ['Dentist 10', 'Dentist 2', 'a 100% café', 'dentist 2']],
  ])('%j', async (view, expected) => {
    expect(await names(view)).toEqual(expected);
    expect((await count(view)).leads).toBe(expected.length);
  });
});

test('a number is found however it is typed and stored, for all are shown in one form', async () => {
  const stored = ['+1 512-555-0104', '(512) 555-0104', '+15125550104', '512.555.0104'];
  const leads = stored.map((phone, at) => ({ business_name: `Spelled ${at}`, phone }));
  const other = { business_name: 'Other', phone: '+1 737-555-0104', address: '555 Main Street, Austin, TX 78701, USA' };
  const id = await buildListOf(product.db, user.id, [...leads, other]);
  for (const q of ['+1 512-555-0104', '512-555', '(512) 555-01', '+15125550104', '5125550104', ...stored])
    expect(
      (await read({ q }, id)).leads.map((lead) => lead.business_name),
      q,
    ).toEqual(leads.map((one) => one.business_name));
  expect((await read({ q: '555 ' }, id)).leads.map((lead) => lead.business_name)).toContain('Other');
});

describe('order', () => {
  test.each<[string, string[]]>([
    ['businessName.asc', ['a 100% café', 'dentist 2', 'Dentist 2', 'Dentist 10', 'Zed']],
    ['businessName.desc', ['Zed', 'Dentist 10', 'Dentist 2', 'dentist 2', 'a 100% café']],
    ['phone.asc', ['Dentist 2', 'dentist 2', 'Dentist 10', 'a 100% café', 'Zed']],
    ['phone.desc', ['Dentist 10', 'dentist 2', 'Dentist 2', 'a 100% café', 'Zed']],
    ['email.desc', ['Dentist 10', 'a 100% café', 'Dentist 2', 'Zed', 'dentist 2']],
  ])('%s, in one piece, one by one behind each other, and by number', async (sort, expected) => {
    expect(await names({ sort })).toEqual(expected);
    const walked: string[] = [];
    for (let after: string | null | undefined; after !== null; ) {
      const page = await read({ sort, limit: 1, ...(after ? { after } : {}) });
      walked.push(...page.leads.map((lead) => lead.business_name));
      after = page.next;
    }
    expect(walked).toEqual(expected);
    expect(await names({ sort, offset: 3, limit: 2 })).toEqual(expected.slice(3));
  });
});

test('in a long list, a page holds what fits first, wherever that stands', { timeout: 30_000 }, async () => {
  const long = await buildListOf(product.db, user.id, [], { lead_count: 10_500 });
  await sql`
    insert into public.leads (list_id, position, business_name)
    select ${long}::uuid, n, 'Shop ' || n || case when n in (3, 5_000, 9_999, 10_000, 10_400) then ' with a garden' else '' end
    from generate_series(0, 10_499) as n
  `.execute(product.db);
  const garden = async (view: View) => {
    const { leads, next } = await read({ q: 'GARDEN', ...view }, long);
    return { at: leads.map(({ position }) => position), next };
  };
  const all = [3, 5_000, 9_999, 10_000, 10_400];
  expect(await garden({})).toEqual({ at: all, next: null });
  const first = await garden({ limit: 2 });
  expect(first).toEqual({ at: all.slice(0, 2), next: expect.any(String) });
  const second = await garden({ limit: 2, after: first.next ?? '' });
  expect(second).toEqual({ at: all.slice(2, 4), next: expect.any(String) });
  expect(await garden({ limit: 2, after: second.next ?? '' })).toEqual({ at: [10_400], next: null });
  expect(await garden({ limit: 2, offset: 3 })).toEqual({ at: all.slice(3), next: null });
  expect((await read({ q: '10400' }, long)).leads.map(({ position }) => position)).toEqual([10_400]);
});

test('counts say what the leads have and what an export would hold', async () => {
  expect(await count()).toEqual({
    leads: 5,
    digest: expect.any(String),
    emails: 2,
    contacts: 2,
    emailChecks: 0,
    openData: 0,
    verifications: 1,
    safe: 1,
    flagged: 2,
    expired: 1,
    unchecked: 1,
    suppressed: 0,
    exports: {
      all: { all_leads: 5, clean: 1 },
      has_emails: { all_leads: 2, clean: 1 },
      has_contacts: { all_leads: 1, clean: 1 },
      fully_enriched: { all_leads: 1, clean: 1 },
    },
  });
});

const cursorOf = (cursor: readonly unknown[]): string => Buffer.from(JSON.stringify(cursor)).toString('base64url');
const callCursor = (cursor: number[]): View => ({
  sort: 'call.asc',
  after: cursorOf(cursor),
});

test('a later page hands out no lead as one that may be called, if only the moment of the first page says so', async () => {
  const MINUTE_MS = 60_000;
  const address = '10 Main Street, Springfield, IL 62701, USA';
  const checked = { address, compliance_status: 'safe', phone_type: 'landline' };
  const id = await buildListOf(
    product.db,
    user.id,
    [
      { ...checked, phone: '+1 217-555-0141', compliance_checked_at: ago(1) },
      {
        ...checked,
        phone: '+1 217-555-0142',
        compliance_checked_at: new Date(Date.now() - 31 * DAY_MS - 10 * MINUTE_MS),
      },
    ],
    { sandbox: false },
  );
  const before = Date.now() - 50 * MINUTE_MS;
  const at = new Date(before).toISOString();
  const { counts } = await user.call(listCallabilityEndpoint, undefined, { listId: id, at });
  const call = counts.callable === 2 ? 'callable' : 'not_now';
  expect(counts[call]).toBe(2);
  expect(await read({ ...callCursor([before, 1]), call }, id)).toEqual({ leads: [], next: null });
  expect((await read(callCursor([before, 1]), id)).leads).toHaveLength(1);
});

test.each<[View, string]>([
  [{ after: 'nonsense' }, 'after is not the `next` of an earlier answer.'],
  ...[
    [9_000_000_000_000_000, 0],
    [1e300, 0],
    [Date.now(), -1],
    [Date.now() + 3_600_000, 1],
  ].map((cursor): [View, string] => [callCursor(cursor), 'after is not the `next` of an earlier answer.']),
  // Who may be called now is no matter of an hour ago.
  [callCursor([Date.now() - 3_700_000, 1]), 'This `next` is too old. Begin again without after.'],
  ...[
    [null, 1.5],
    [null, 1e15],
    ['\u0000', 1],
  ].map((cursor): [View, string] => [
    { sort: 'phone.asc', after: cursorOf(cursor) },
    'after is not the `next` of an earlier answer.',
  ]),
  [{ sort: 'position.asc' }, 'Sort by phone.asc'],
  [{ has: 'fax' }, 'Use phone, email, website or owner.'],
  [{ zip: '6270' }, 'A ZIP code has five digits'],
  [{ confidence: 101 }, 'Enter at most 100.'],
  [{ confidence: 55.5 }, 'Enter a whole number.'],
  [{ since: 'yesterday' }, 'since must be a day'],
  [{ since: '0000-01-01' }, 'since must be a day'],
  [{ limit: 501 }, 'limit'],
])('%j is refused with words', async (view, message) => {
  await expect(read(view)).rejects.toMatchObject({ status: 422, message: expect.stringContaining(message) });
});

test("someone else's list is not found", async () => {
  const other = await product.user();
  const refusal = { status: 404, code: 'NOT_FOUND' };
  await expect(other.call(listLeadsEndpoint, undefined, { listId })).rejects.toMatchObject(refusal);
  await expect(other.call(countLeadsEndpoint, {}, { listId })).rejects.toMatchObject(refusal);
});
