import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { listCallsEndpoint } from '#contract/money/paid-calls.ts';
import { exportUsageEndpoint, getUsageEndpoint, listUsageRunsEndpoint, type Usage } from '#contract/money/usage.ts';
import { checkComplianceEndpoint } from '#contract/work/compliance.ts';
import { enrichEmailsEndpoint } from '#contract/work/enrichment.ts';
import { getRunEndpoint } from '#contract/work/runs.ts';
import { buildListOf, readRuns } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
let user: TestUser;
const [from, to] = [-1, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10));
const PERIOD = { from: from ?? '', to: to ?? '' };

const lead = (index: number) => ({
  website: `https://usage${index}.example/`,
  phone: `+1 512-555-01${String(index).padStart(2, '0')}`,
});

beforeAll(async () => {
  product = await startProduct();
  user = await product.user();
  await user.connect('hunter_io', 'sandbox-usage');
  await user.connect('searchbug', 'sandbox-usage');
  const leads = Array.from({ length: 30 }, (_, index) => lead(index));
  const kept = await buildListOf(product.db, user.id, leads, { name: 'Kept' });
  const gone = await buildListOf(product.db, user.id, leads.slice(0, 12), { name: 'Gone' });
  await user.call(enrichEmailsEndpoint, { list_id: kept, steps: ['hunter'] });
  await user.call(enrichEmailsEndpoint, { list_id: gone, steps: ['hunter'] });
  await user.call(checkComplianceEndpoint, { list_id: kept });
  await product.db.deleteFrom('lists').where('id', '=', gone).execute();
  // Two answers that were lost, one of them at another price.
  await sql`
    update app.paid_calls set state = 'uncertain', cost_micros = cost_micros + 1234 where id in (
      select id from app.paid_calls where user_id = ${user.id} and operation = 'phone_scrub' order by subject limit 2)
  `.execute(product.db);
});

const sum = (parts: readonly { costMicros: number }[]) => parts.reduce((all, part) => all + part.costMicros, 0);

/** The ledger's own rows, added up. */
async function ledger(where = sql<boolean>`true`) {
  const { rows } = await sql<{ calls: number; cost: number; uncertain: number; maybe: number }>`
    select count(*) as calls, coalesce(sum(cost_micros), 0)::bigint as cost, count(*) filter (where state = 'uncertain') as uncertain,
      coalesce(sum(cost_micros) filter (where state = 'uncertain'), 0)::bigint as maybe
    from app.paid_calls where user_id = ${user.id} and state <> 'planned' and ${where}
  `.execute(product.db);
  return rows[0];
}

test('every figure equals the ledger to the cent, and every split adds up to the whole', async () => {
  const usage = await user.call(getUsageEndpoint, undefined, PERIOD);
  const all = await ledger();
  expect(usage).toMatchObject({ money: 'sandbox', known: ['sandbox'] });
  expect(usage.totals).toMatchObject({
    calls: all?.calls,
    costMicros: all?.cost,
    uncertain: 2,
    uncertainMicros: all?.maybe,
  });
  expect(usage.totals.costMicros).toBeGreaterThan(0);
  for (const parts of [usage.days, usage.providers, usage.lists]) expect(sum(parts)).toBe(usage.totals.costMicros);
  for (const { provider, calls, costMicros } of usage.providers)
    expect({ calls, cost: costMicros }).toMatchObject({
      calls: (await ledger(sql`provider = ${provider}`))?.calls,
      cost: (await ledger(sql`provider = ${provider}`))?.cost,
    });
  expect(usage.lists.map(({ name, listId }) => [name, listId === null])).toEqual([
    ['Kept', false],
    ['Gone', true],
  ]);
  // The second list had websites that the first one had paid for.
  expect(usage.totals).toMatchObject({ recalled: 12 });
  expect(usage.lists[1]).toMatchObject({
    calls: 0,
    costMicros: 0,
    recalled: 12,
    savedMicros: usage.totals.savedMicros,
  });
});

test('what was found, for what its runs have cost', async () => {
  const { emails, phones, businesses } = await user.call(getUsageEndpoint, undefined, PERIOD);
  const { rows } = await sql<{ found: number; safe: number }>`
    select sum((totals ->> 'emailsAdded')::int) as found, sum((totals ->> 'safe')::int) as safe from app.runs
    where user_id = ${user.id}
  `.execute(product.db);
  expect(emails).toEqual({
    runs: 2,
    asked: 42,
    found: rows[0]?.found,
    costMicros: (await ledger(sql`operation = 'domain_search'`))?.cost,
  });
  expect(phones).toMatchObject({ runs: 1, asked: 30, found: rows[0]?.safe });
  expect(businesses).toEqual({ runs: 0, asked: 0, found: 0, costMicros: 0 });
});

test('what finding emails costs stands apart from what verifying them costs', async () => {
  const other = await product.user();
  await other.connect('hunter_io', 'sandbox-usage-apart');
  const listId = await buildListOf(product.db, other.id, [lead(1), lead(2), lead(3), { email: 'dana@apart.example' }]);
  await other.call(enrichEmailsEndpoint, { list_id: listId, steps: ['hunter', 'verifier'] });
  const alone = await buildListOf(product.db, other.id, [{ email: 'lee@apart.example' }]);
  await other.call(enrichEmailsEndpoint, { list_id: alone, steps: ['verifier'] });
  const costOf = async (operation: string) => {
    const { rows } = await sql<{ cost: number }>`
      select coalesce(sum(cost_micros), 0)::integer as cost from app.paid_calls where user_id = ${other.id} and operation = ${operation}
    `.execute(product.db);
    return rows[0]?.cost ?? 0;
  };
  const usage = await other.call(getUsageEndpoint, undefined, PERIOD);
  const [searched, verified] = [await costOf('domain_search'), await costOf('email_verify')];
  expect(searched).toBeGreaterThan(0);
  expect(verified).toBeGreaterThan(50_000);
  expect(usage.emails).toMatchObject({ runs: 1, asked: 3, costMicros: searched });
  expect(usage.verifications).toEqual({
    runs: 2,
    asked: verified / 25_000,
    found: verified / 25_000,
    costMicros: verified,
  });
  expect(usage.totals.costMicros).toBe(searched + verified);
  const { runs } = await other.call(listUsageRunsEndpoint, undefined, PERIOD);
  expect(runs.map(({ kind, steps }) => [kind, steps])).toEqual([
    ['enrichment', ['verifier']],
    ['enrichment', ['hunter', 'verifier']],
  ]);
});

test('real money and the sandbox are never added up', async () => {
  const other = await product.user();
  const listId = await buildListOf(product.db, other.id, [lead(1)]);
  await other.connect('hunter_io', 'sandbox-mixed');
  await other.call(enrichEmailsEndpoint, { list_id: listId, steps: ['hunter'] });
  await sql`
    with run as (
      insert into app.runs (user_id, list_name, kind, input, sandbox) values (${other.id}, 'Real', 'enrichment', '{}', false)
      returning id
    )
    insert into app.paid_calls (idempotency_key, run_id, user_id, provider, operation, subject, state, estimate_micros, cost_micros,
      sandbox, sent_at)
    select 'real', id, ${other.id}, 'hunter_io', 'domain_search', 'real.example', 'answered', 50000, 49000, false, now() from run
  `.execute(product.db);
  const of = (money?: string) => other.call(getUsageEndpoint, undefined, { ...PERIOD, ...(money ? { money } : {}) });
  const real = await of();
  expect(real).toMatchObject({ money: 'real', known: ['real', 'sandbox'], totals: { calls: 1, costMicros: 49_000 } });
  const sandbox = await of('sandbox');
  expect(sandbox).toMatchObject({ money: 'sandbox', totals: { calls: 1 } });
  expect(sandbox.totals.costMicros).not.toBe(49_000);
  expect((await other.call(listUsageRunsEndpoint, undefined, PERIOD)).runs.map((run) => run.listName)).toEqual([
    'Real',
  ]);
});

test('other days, and other people, have nothing of it', async () => {
  const nothing: Partial<Usage> = { days: [], providers: [], lists: [], otherLists: null };
  const before = await user.call(getUsageEndpoint, undefined, { from: '2026-01-01', to: '2026-01-31' });
  expect(before).toMatchObject({ ...nothing, known: ['sandbox'], totals: { calls: 0, costMicros: 0 } });
  const stranger = await product.user();
  expect(await stranger.call(getUsageEndpoint, undefined, PERIOD)).toMatchObject({ ...nothing, known: [] });
  expect(await stranger.call(listUsageRunsEndpoint, undefined, PERIOD)).toEqual({ runs: [], next: null });
});

test.each([
  [{ from: '2026-02-01', to: '2026-01-01' }, /first day must not be after/],
  [{ from: '2024-01-01', to: '2026-01-01' }, /at most 366 days/],
  [{ from: 'yesterday', to: '2026-01-01' }, /from must be a day/],
  [{ from: '2026-02-30', to: '2026-03-01' }, /from must be a day/],
  [{ from: '0000-01-01', to: '0000-01-02' }, /from must be a day/],
])('%o is refused', async (query, message) => {
  await expect(user.call(getUsageEndpoint, undefined, query)).rejects.toMatchObject({ status: 422, message });
});

test('runs come in pages that follow each other without a gap, and add up to the whole', async () => {
  const other = await product.user();
  await sql`
    with runs as (
      insert into app.runs (user_id, list_name, kind, input, sandbox, created_at)
      select ${other.id}, 'List ' || n, 'search', '{}', true, now() - (n % 5) * interval '1 hour' from generate_series(1, 45) as n
      returning id
    )
    insert into app.paid_calls (idempotency_key, run_id, user_id, provider, operation, subject, state, estimate_micros, cost_micros,
      sandbox, sent_at)
    select id::text, id, ${other.id}, 'google_places', 'search_page', id::text, 'answered', 35000, 35000, true, now() from runs
  `.execute(product.db);
  const seen: string[] = [];
  let cost = 0;
  for (let after: string | null = ''; after !== null; ) {
    const page: { runs: { id: string; costMicros: number }[]; next: string | null } = await other.call(
      listUsageRunsEndpoint,
      undefined,
      after ? { ...PERIOD, after } : PERIOD,
    );
    seen.push(...page.runs.map((run) => run.id));
    cost += sum(page.runs);
    after = page.next;
  }
  expect(new Set(seen).size).toBe(45);
  expect(seen).toHaveLength(45);
  const usage = await other.call(getUsageEndpoint, undefined, PERIOD);
  expect(usage.totals.costMicros).toBe(cost);
  expect(usage.lists).toHaveLength(10);
  expect(usage.otherLists?.count).toBe(35);
  expect(sum(usage.lists) + (usage.otherLists?.costMicros ?? 0)).toBe(cost);
  await expect(user.call(listUsageRunsEndpoint, undefined, { ...PERIOD, after: seen[0] ?? '' })).rejects.toMatchObject({
    status: 404,
  });
});

test('the file holds every row of the period once, and its costs are the sum; taking it is written down', async () => {
  const response = await user.get(`${exportUsageEndpoint.path}?from=${PERIOD.from}&to=${PERIOD.to}`);
  expect(response.headers.get('content-disposition')).toContain(`fairlead-ledger-${PERIOD.from}-to-${PERIOD.to}.csv`);
  const [head, ...rows] = (await response.text()).trimEnd().split('\r\n');
  expect(head).toMatch(/Time \(UTC\),Provider,Operation,Subject,State,Cost \(USD\)/);
  const all = await ledger();
  expect(rows).toHaveLength(all?.calls ?? 0);
  const micros = rows.map((row) => Math.round(Number(/,(\d+\.\d{6}),/.exec(row)?.[1]) * 1_000_000));
  expect(micros.reduce((a, b) => a + b, 0)).toBe(all?.cost);
  const lines = await product.db.selectFrom('app.audit_log').selectAll().where('actor_id', '=', user.id).execute();
  expect(lines.map((line) => [line.action, line.details])).toContainEqual([
    'usage.exported',
    { ...PERIOD, money: 'sandbox' },
  ]);
});

test('what waits to be sent again and may have been charged stands in the file as it does in the sums', async () => {
  const other = await product.user();
  await sql`
    with run as (
      insert into app.runs (user_id, list_name, kind, input, sandbox, state, started_at, lease_owner, lease_expires_at)
      values (${other.id}, 'Again', 'enrichment', '{}', true, 'running', now(), gen_random_uuid(), now() + interval '1 hour')
      returning id
    )
    insert into app.paid_calls (idempotency_key, run_id, user_id, provider, operation, subject, state, estimate_micros, cost_micros,
      sandbox, maybe_charged, sent_at)
    select gen_random_uuid()::text, id, ${other.id}, 'hunter_io', 'domain_search', 'again.example', 'planned', 50000, 50000, true, true, now() from run
  `.execute(product.db);
  expect((await other.call(getUsageEndpoint, undefined, PERIOD)).totals.costMicros).toBe(50_000);
  const response = await other.get(`${exportUsageEndpoint.path}?from=${PERIOD.from}&to=${PERIOD.to}`);
  expect(await response.text()).toMatch(/again\.example,planned,0\.050000,/);
});

test('what a run planned and never sent is no call', async () => {
  const other = await product.user();
  await other.connect('hunter_io', 'sandbox-never-sent');
  const list_id = await buildListOf(product.db, other.id, [lead(1), lead(2), lead(3)]);
  await expect(other.call(enrichEmailsEndpoint, { list_id, max_cost: 0.01, steps: ['hunter'] })).rejects.toMatchObject({
    code: 'BOUND_REACHED',
  });
  expect((await other.call(getUsageEndpoint, undefined, PERIOD)).totals).toMatchObject({ calls: 0, failed: 0 });
  const response = await other.get(`${exportUsageEndpoint.path}?from=${PERIOD.from}&to=${PERIOD.to}`);
  expect((await response.text()).trimEnd().split('\r\n')).toHaveLength(1);
});

test('a call that was planned and never sent is called so wherever its run is read', async () => {
  const other = await product.user();
  await other.connect('hunter_io', 'sandbox-planned-only');
  const list_id = await buildListOf(product.db, other.id, [lead(1), lead(2), lead(3)]);
  await expect(other.call(enrichEmailsEndpoint, { list_id, max_cost: 0.01, steps: ['hunter'] })).rejects.toMatchObject({
    code: 'BOUND_REACHED',
  });
  const [id = ''] = (await readRuns(product.db, other.id)).map((run) => run.id);
  const { run } = await other.call(getRunEndpoint, undefined, { id });
  const { not_sent: notSent = 0 } = run.calls;
  expect(run).toMatchObject({ costMicros: 0, calls: { not_sent: notSent } });
  expect(notSent).toBeGreaterThan(0);
  expect(run.calls.failed).toBeUndefined();
  const shown = (state: 'not_sent' | 'failed') => other.call(listCallsEndpoint, undefined, { id, state });
  expect((await shown('failed')).calls).toEqual([]);
  const { calls } = await shown('not_sent');
  expect(calls).toHaveLength(notSent);
  expect(
    calls.every(({ state, costMicros, sentAt }) => state === 'not_sent' && costMicros === 0 && sentAt === null),
  ).toBe(true);
});
