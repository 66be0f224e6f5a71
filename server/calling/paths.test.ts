import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { localDay, momentOf } from '#calling/window/local-time.ts';
import { addressOf } from '#contract/address.ts';
import { CALL_VERDICTS } from '#contract/calling/call-verdicts.ts';
import { leadVerdictsEndpoint, listCallabilityEndpoint } from '#contract/calling/callability.ts';
import { exportLeadsEndpoint } from '#contract/work/exports/exports.ts';
import { countLeadsEndpoint } from '#contract/work/lead-counts.ts';
import { listLeadsEndpoint } from '#contract/work/leads-of-list.ts';
import { copyLeadsEndpoint, deleteLeadsEndpoint } from '#contract/work/move-leads.ts';
import { isCallableWithin, settleChoice, settleFilter } from '#server/calling/settle-choice.ts';
import { readLeadCounts } from '#server/leads/read-lead-counts.ts';
import { tuesdayAt } from '#test/call-clock.ts';
import { buildListOf, readLeads } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';
import { buildRandomCalls, neverCallable } from '#test/random-calls.ts';

const COUNT = 2_000;
const HOUR_MS = 3_600_000;

let product: Product;
let user: TestUser;
let listId: string;
let never: ReadonlySet<number>;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  user = await product.user();
  listId = await buildRandomCalls(product.db, user.id, COUNT);
  never = await neverCallable(product.db, listId);
});

/** Every third hour of a day from now, so that each state is open at some of them. */
const moments = () => Array.from({ length: 8 }, (_, number) => Date.now() + number * 3 * HOUR_MS);

test('at each hour of a day the filter holds nothing as callable that must not be, and something at most of them', async () => {
  let found = 0;
  for (const at of moments()) {
    const { positions = [] } = await settleFilter(product.db, listId, { call: 'callable' }, at);
    found += positions.length;
    expect(positions.filter((position) => never.has(position))).toEqual([]);
    for (const hours of [1, 24]) {
      const condition = await isCallableWithin(product.db, listId, {}, hours, at);
      const { exports } = await readLeadCounts(product.db, listId, {}, condition);
      expect(exports.all.all_leads).toBeGreaterThanOrEqual(positions.length);
      expect(exports.all.all_leads).toBeLessThanOrEqual(COUNT - never.size);
    }
  }
  expect(found).toBeGreaterThan(200);
});

test('the verdicts part the list: each lead has one, and a filter means exactly its own', async () => {
  const at = Date.now();
  const seen: number[] = [];
  for (const call of CALL_VERDICTS)
    seen.push(...((await settleFilter(product.db, listId, { call }, at)).positions ?? []));
  expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: COUNT }, (_, position) => position));
  const { positions } = await settleFilter(product.db, listId, { call: 'unknown', has: 'email' }, at);
  const all = (await settleFilter(product.db, listId, { call: 'unknown' }, at)).positions ?? [];
  expect(positions).toEqual(all.filter((position) => position % 3 === 0));
});

test('the list, its counts and its rows say the same, the callable ones first', async () => {
  const leads = await readLeads(product.db, listId);
  const { counts } = await user.call(listCallabilityEndpoint, undefined, { listId });
  expect(Object.values(counts).reduce((sum, count) => sum + count)).toBe(COUNT);
  // A window may open or close between two requests.
  const blocked = await user.call(countLeadsEndpoint, { matching: { call: 'blocked' } }, { listId });
  expect(blocked.leads).toBe(counts.blocked);
  const verdicts = new Map<string, string>();
  for (let from = 0; from < COUNT; from += 100) {
    const ids = leads.slice(from, from + 100).map(({ id }) => id);
    const part = await user.call(leadVerdictsEndpoint, undefined, { listId, ids: ids.join() });
    for (const { id, verdict, why } of part.leads) {
      verdicts.set(id, verdict);
      expect(why).not.toBe('');
    }
  }
  const order = ['callable', 'not_now', 'review', 'unknown', 'blocked'];
  const ranks: number[] = [];
  const ids = new Set<string>();
  for (let after: string | undefined; ; ) {
    const query = { listId, sort: 'call.asc', limit: '500', ...(after ? { after } : {}) };
    const page: { leads: { id: string }[]; next: string | null } = await user.call(listLeadsEndpoint, undefined, query);
    for (const { id } of page.leads) {
      ids.add(id);
      ranks.push(order.indexOf(verdicts.get(id) ?? ''));
    }
    if (page.next === null) break;
    after = page.next;
  }
  expect(ids.size).toBe(COUNT);
  expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
  const [last] = (await user.call(listLeadsEndpoint, undefined, { listId, sort: 'call.desc', limit: '1' })).leads;
  expect(verdicts.get(last?.id ?? '')).toBe('blocked');
  const offset = await user.call(listLeadsEndpoint, undefined, {
    listId,
    sort: 'call.asc',
    offset: '1999',
    limit: '5',
  });
  expect(offset.leads).toHaveLength(1);
  await expect(
    user.call(listLeadsEndpoint, undefined, { listId, sort: 'call.asc', after: 'nonsense' }),
  ).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
});

async function exported(body: object): Promise<Record<string, string>[]> {
  const response = await product.request(addressOf(exportLeadsEndpoint.path, { listId }), {
    method: 'POST',
    headers: { authorization: await user.authorization(), 'content-type': 'application/json' },
    body: JSON.stringify({ filter: 'all', compliance: 'all_leads', ...body }),
  });
  expect(response.status).toBe(200);
  const [head = '', ...lines] = (await response.text()).trimEnd().split('\r\n');
  const columns = head.split(',');
  return lines.map((line) => {
    const cells = [...line.matchAll(/"((?:[^"]|"")*)"|([^,]+)|(?<=,)(?=,|$)/g)].map((cell) => cell[1] ?? cell[2] ?? '');
    return Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? '']));
  });
}

const CALL_HEADERS = ['call_status', 'call_from', 'call_to', 'time_zone', 'checked_on', 'expires_on', 'rule'];

test('an export of what is callable within a day holds nothing else, with times to call it', async () => {
  const rows = await exported({ call_within: 24 });
  const numberOf = (row: Record<string, string>) => Number(row['Business Name']?.slice('Business '.length));
  expect(rows.length).toBeGreaterThan(100);
  expect(rows.filter((row) => never.has(numberOf(row)))).toEqual([]);
  const [first = {}] = rows;
  expect(Object.keys(first).slice(-7)).toEqual(CALL_HEADERS);
  for (const row of rows) {
    expect(['callable', 'not_now']).toContain(row.call_status);
    const [from, to] = [Date.parse(row.call_from ?? ''), Date.parse(row.call_to ?? '')];
    expect(from).toBeLessThan(Date.now() + 24 * HOUR_MS);
    expect(to).toBeGreaterThan(Date.now());
    expect(to).toBeGreaterThanOrEqual(from);
    expect(row.rule).toContain('47 CFR 64.1200(c)(1)');
    expect(row.time_zone).toMatch(/^(America|Pacific)\//);
    expect(Date.parse(row.expires_on ?? '')).toBeGreaterThan(Date.parse(row.checked_on ?? ''));
  }
  const { exports } = await user.call(countLeadsEndpoint, { call_within: 24 }, { listId });
  expect(exports.all.all_leads).toBe(rows.length);
});

test('an export with the columns of calls names no time for what must not be called', async () => {
  const rows = await exported({ call_times: true });
  const withTime = rows.filter(({ call_from }) => call_from !== '');
  expect(withTime.length).toBeGreaterThan(100);
  for (const { call_status, call_from, call_to } of rows)
    if (!['callable', 'not_now'].includes(call_status ?? '')) expect([call_from, call_to]).toEqual(['', '']);
  // Without the choice the file is what it has always been.
  expect(Object.keys((await exported({}))[0] ?? {})).not.toContain('call_status');
  // A filter by call narrows a file, and adds no columns.
  const unknown = await exported({ matching: { call: 'unknown' } });
  expect(unknown.length).toBeGreaterThan(100);
  expect(Object.keys(unknown[0] ?? {})).not.toContain('call_status');
  await expect(
    user.call(exportLeadsEndpoint, { filter: 'all', compliance: 'clean', call_within: 25 }, { listId }),
  ).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
});

test('what is in review is no part of an export of what is callable soon, though it opens soon', async () => {
  const address = '1 Invented Street, Detroit, MI 48226, USA';
  const tuesday = tuesdayAt(13).getTime();
  const checked = {
    compliance_status: 'safe',
    compliance_checked_at: new Date(tuesday - HOUR_MS),
    phone_type: 'landline',
  };
  const lead = { business_name: 'Detroit', phone: '+1 313-555-0101', address, ...checked };
  const detroit = await buildListOf(product.db, user.id, [lead], { sandbox: false });
  const countAt = async (clock: string) => {
    const day = localDay('America/Detroit', tuesday);
    const at = momentOf('America/Detroit', day, clock);
    const condition = await isCallableWithin(product.db, detroit, {}, 8, at);
    return (await readLeadCounts(product.db, detroit, {}, condition)).exports.all.all_leads;
  };
  expect([await countAt('07:30'), await countAt('08:30'), await countAt('09:00')]).toEqual([1, 0, 1]);
});

test('what is done with all that match means exactly these leads', async () => {
  const meant = (await settleChoice(product.db, listId, { matching: { call: 'review' } })).matching?.positions ?? [];
  expect(meant.length).toBeGreaterThan(10);
  const choice = { matching: { call: 'review' as const } };
  const copied = await user.call(copyLeadsEndpoint, { ...choice, to: { name: 'To be looked at' } }, { listId });
  expect(copied.copied).toBe(meant.length);
  const { deleted } = await user.call(deleteLeadsEndpoint, choice, { listId });
  expect(deleted).toBe(meant.length);
  const left = new Set((await readLeads(product.db, listId)).map(({ position }) => position));
  expect(meant.filter((position) => left.has(position))).toEqual([]);
  expect(left.size).toBe(COUNT - meant.length);
});

test('the data API names what is held against a call, of one’s own leads only', async () => {
  const supabase = (who: TestUser) =>
    product.db.transaction().execute(async (tx) => {
      const claims = JSON.stringify({ sub: who.id, role: 'authenticated', aal: 'aal1' });
      await sql`select set_config('request.jwt.claims', ${claims}, true), set_config('role', 'authenticated', true)`.execute(
        tx,
      );
      const { rows } = await sql<{ position: number; hold: string | null }>`
        select position, hold from public.lead_calls where list_id = ${listId} order by position
      `.execute(tx);
      return rows;
    });
  const rows = await supabase(user);
  expect(rows.length).toBeGreaterThan(900);
  // What is not held back may still be barred by the law: the reverse never holds.
  const free = rows.filter(({ hold }) => hold === null).map(({ position }) => position);
  const within = await isCallableWithin(product.db, listId, {}, 24);
  expect(free.length).toBeGreaterThan(100);
  const { exports } = await readLeadCounts(product.db, listId, {}, within);
  expect(exports.all.all_leads).toBeGreaterThan(0);
  for (const { position, hold } of rows) if (!never.has(position)) expect([position, hold]).toEqual([position, null]);
  expect(new Set(rows.map(({ hold }) => hold))).toEqual(
    new Set([null, 'suppressed', 'no_phone', 'litigator', 'do_not_call', 'check_expired', 'never_checked']),
  );
  expect(await supabase(await product.user())).toEqual([]);
});
