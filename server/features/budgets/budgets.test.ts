import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import {
  type BudgetId,
  type BudgetLimits,
  dismissNoticeEndpoint,
  readBudgetsEndpoint,
  readUserBudgetsEndpoint,
  setBudgetsEndpoint,
  setUserBudgetsEndpoint,
  TypedDollars,
} from '#contract/money/budgets.ts';
import { checkComplianceEndpoint } from '#contract/work/compliance.ts';
import { enrichEmailsEndpoint } from '#contract/work/enrichment.ts';
import { searchLeadsEndpoint } from '#contract/work/search/search.ts';
import { buildList, buildListOf, readList, readRuns } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';
import { mailNotices } from './mail-notices.ts';

let product: Product;
let waiting: Product;
beforeAll(async () => {
  product = await startProduct();
  // Without a worker runs stay as they were started.
  waiting = await startProduct({ worker: false });
});

const NONE: BudgetLimits = { run: null, month: null, google_places: null, hunter_io: null, searchbug: null };
const dollars = (amount: number) => amount * 1_000_000;
const limits = (some: Partial<BudgetLimits>) => ({ limits: { ...NONE, ...some } });
const sites = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => ({ website: `https://${name}${index}.example/` }));
const enrich = (user: TestUser, list_id: string, max_cost?: number) =>
  user.call(enrichEmailsEndpoint, { list_id, steps: ['hunter'], ...(max_cost === undefined ? {} : { max_cost }) });

/** A list whose enrichment may cost five cents a site. */
async function listOf(at: Product, user: TestUser, count: number, name: string): Promise<string> {
  await user.connect('hunter_io', 'sandbox');
  return buildListOf(at.db, user.id, sites(count, name));
}
const budgetOf = async (user: TestUser, id: BudgetId) =>
  (await user.call(readBudgetsEndpoint)).items.find((item) => item.id === id);

/** Asks for a run that no worker takes, and comes back once it is there. */
async function begin(user: TestUser, listId: string, maxCost?: number): Promise<void> {
  const before = (await readRuns(waiting.db, user.id)).length;
  const asked = enrich(user, listId, maxCost);
  asked.catch(() => {});
  while ((await readRuns(waiting.db, user.id)).length === before) {
    const refused = await Promise.race([asked.then(() => undefined), sleep(10)]);
    if (refused) return;
  }
}

test('nothing is limited until someone sets a limit, and setting replaces all of them', async () => {
  const user = await product.user();
  const { items, notices, month } = await user.call(readBudgetsEndpoint);
  expect(items.map((item) => item.id)).toEqual(['run', 'month', 'google_places', 'hunter_io', 'searchbug']);
  expect(items.every((item) => item.limitMicros === null && item.adminLimitMicros === null)).toBe(true);
  expect(notices).toEqual([]);
  expect(month).toMatch(/^\d{4}-\d{2}$/);
  await user.call(setBudgetsEndpoint, limits({ run: dollars(1), month: dollars(10) }));
  const { items: changed } = await user.call(setBudgetsEndpoint, limits({ month: dollars(5) }));
  expect(changed.map((item) => item.limitMicros)).toEqual([null, dollars(5), null, null, null]);
});

test('a run that may cost more than one run may is not started; it is with a smaller bound', async () => {
  const user = await product.user();
  const listId = await listOf(product, user, 10, 'perrun');
  await user.call(setBudgetsEndpoint, limits({ run: dollars(0.2) }));
  await expect(enrich(user, listId)).rejects.toMatchObject({
    status: 409,
    code: 'BUDGET_EXCEEDED',
    message:
      'This run may cost $0.50 in sandbox money, more than the $0.20 limit for one run. Set a lower limit for it, or raise the limit in Settings > Budgets.',
  });
  expect((await readList(product.db, listId)).status).toBe('completed');
  expect(await readRuns(product.db, user.id)).toEqual([]);

  await enrich(user, listId, 0.12).catch((error: unknown) => expect(error).toMatchObject({ code: 'BOUND_REACHED' }));
  const [run] = await readRuns(product.db, user.id);
  expect(run).toMatchObject({ estimate_micros: dollars(0.5), bound_micros: dollars(0.12) });
  expect((await budgetOf(user, 'month'))?.sandbox.spentMicros).toBeLessThanOrEqual(dollars(0.12));
});

test('what a call may cost is held without any budget, and is an amount', async () => {
  const user = await product.user();
  const listId = await listOf(product, user, 3, 'maxcost');
  for (const max_cost of [0.009, -1, 0.001, 2_000_000, 'a lot'])
    await expect(
      user.call(enrichEmailsEndpoint, { list_id: listId, max_cost: max_cost as number, steps: ['hunter'] }),
    ).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      message: expect.stringMatching(/^max_cost(: Enter 0 or more| must be 0\.01)/),
    });
  await enrich(user, listId, 100);
  expect((await readRuns(product.db, user.id))[0]).toMatchObject({ bound_micros: dollars(0.15) });
});

test('a refused search leaves its new list failed, with the reason; a refused check leaves the list alone', async () => {
  const user = await product.user();
  await user.connect('google_places', 'sandbox');
  await user.connect('searchbug', 'sandbox');
  await user.call(setBudgetsEndpoint, limits({ google_places: dollars(0.1), searchbug: 0 }));
  const newList = await buildList(product.db, user.id);
  const search = { query: 'plumber', location: 'Springfield, IL', list_id: newList, radius: 8_000, maxResults: 60 };
  await expect(user.call(searchLeadsEndpoint, search)).rejects.toMatchObject({
    code: 'BUDGET_EXCEEDED',
    message: /\$0\.10 of the \$0\.10 budget for Google Places in \w+ is left/,
  });
  expect((await readList(product.db, newList)).status).toBe('failed');
  const listId = await buildListOf(product.db, user.id, [{ phone: '+1 512-555-0101' }]);
  await expect(user.call(checkComplianceEndpoint, { list_id: listId })).rejects.toMatchObject({
    code: 'BUDGET_EXCEEDED',
  });
  expect((await readList(product.db, listId)).status).toBe('completed');
});

test('the smaller of two limits counts, and no one lifts an administrator’s', async () => {
  const [user, admin] = [await product.user(), await product.admin()];
  const listId = await listOf(product, user, 10, 'twohands');
  await admin.call(setUserBudgetsEndpoint, limits({ month: dollars(0.3) }), { user_id: user.id });
  await user.call(setBudgetsEndpoint, limits({ month: dollars(100) }));
  await expect(enrich(user, listId)).rejects.toThrow(/\$0\.30 budget .* ask an administrator to raise the limit\./);
  await user.call(setBudgetsEndpoint, limits({ month: dollars(0.2) }));
  await expect(enrich(user, listId)).rejects.toThrow(/\$0\.20 budget .* raise the limit in Settings > Budgets\./);
  expect(await budgetOf(user, 'month')).toMatchObject({
    limitMicros: dollars(0.2),
    adminLimitMicros: dollars(0.3),
  });
  const { items } = await admin.call(readUserBudgetsEndpoint, undefined, { user_id: user.id });
  expect(items.find((item) => item.id === 'month')).toMatchObject({ adminLimitMicros: dollars(0.3) });
  const lines = await product.db
    .selectFrom('app.audit_log')
    .select(['actor_id', 'target', 'details'])
    .where('action', '=', 'budget.set')
    .execute();
  expect(lines).toMatchObject([{ actor_id: admin.id, target: user.id, details: { limits: { month: dollars(0.3) } } }]);
  for (const id of ['nobody', '00000000-0000-4000-8000-000000000000'])
    await expect(admin.call(setUserBudgetsEndpoint, limits({}), { user_id: id })).rejects.toMatchObject({
      status: 404,
    });
});

test('open runs hold what they may still book, until they end', async () => {
  const user = await waiting.user();
  const [first, second] = [await listOf(waiting, user, 10, 'held'), await listOf(waiting, user, 7, 'other')];
  await user.call(setBudgetsEndpoint, limits({ hunter_io: dollars(0.8) }));
  await begin(user, first);
  expect(await budgetOf(user, 'hunter_io')).toMatchObject({
    sandbox: { spentMicros: 0, reservedMicros: dollars(0.5) },
    real: { spentMicros: 0, reservedMicros: 0 },
  });
  await expect(enrich(user, second)).rejects.toThrow(
    /may cost \$0\.35 .* \$0\.30 of the \$0\.80 budget .* left \(\$0\.50 is held for runs under way\)/,
  );
  await waiting.db.updateTable('app.runs').set({ state: 'cancelled' }).where('user_id', '=', user.id).execute();
  await begin(user, second);
  expect(await budgetOf(user, 'hunter_io')).toMatchObject({ sandbox: { reservedMicros: dollars(0.35) } });
});

test.each([
  ['search', 'google_places'],
  ['place', 'google_places'],
  ['survey', 'google_places'],
  ['enrichment', 'hunter_io'],
  ['compliance', 'searchbug'],
] as const)('what an open %s may still book is held at %s alone', async (kind, provider) => {
  const user = await waiting.user();
  await waiting.db
    .insertInto('app.runs')
    .values({ user_id: user.id, list_name: 'Open', kind, input: '{}', sandbox: false, bound_micros: 10_000 })
    .execute();
  for (const id of ['google_places', 'hunter_io', 'searchbug'] as const)
    expect((await budgetOf(user, id))?.real.reservedMicros).toBe(id === provider ? 10_000 : 0);
});

test('fifty runs on two processes that start at once get no more than a budget has', async () => {
  const user = await waiting.user();
  await user.connect('hunter_io', 'sandbox');
  const other = (await waiting.process({ worker: false })).as(user);
  const lists: string[] = [];
  for (let index = 0; index < 50; index += 1)
    lists.push(await buildListOf(waiting.db, user.id, sites(2 + (index % 3), `many${index}-`)));
  await user.call(setBudgetsEndpoint, limits({ month: dollars(2) }));
  const outcomes = lists.map((listId, index) =>
    enrich(index % 2 ? user : other, listId).then(
      () => 'done',
      (error: { code: string }) => error.code,
    ),
  );
  const refused = async () =>
    (await Promise.all(outcomes.map((one) => Promise.race([one, sleep(0, 'open')])))).filter((one) => one !== 'open');
  for (;;) {
    const ended = await refused();
    const open = (await readRuns(waiting.db, user.id)).length;
    if (ended.length + open === lists.length) break;
    await sleep(20);
  }
  const started = (await readRuns(waiting.db, user.id)).reduce((sum, run) => sum + run.bound_micros, 0);
  expect(started).toBeLessThanOrEqual(dollars(2));
  expect(started).toBeGreaterThan(dollars(1.8));
  expect(new Set(await refused())).toEqual(new Set(['BUDGET_EXCEEDED']));
});

test('another month’s money counts for that month; what a run from then may still book counts for this one', async () => {
  const user = await product.user();
  const listId = await listOf(product, user, 6, 'lastmonth');
  await enrich(user, listId);
  const spent = (await budgetOf(user, 'month'))?.sandbox.spentMicros ?? 0;
  expect(spent).toBeGreaterThan(0);
  await sql`update app.paid_calls set sent_at = date_trunc('month', now() at time zone 'UTC') at time zone 'UTC' - interval '1 minute'
    where user_id = ${user.id}`.execute(product.db);
  expect(await budgetOf(user, 'month')).toMatchObject({ sandbox: { spentMicros: 0, reservedMicros: 0 } });
  const [run] = await readRuns(product.db, user.id);
  await product.db
    .updateTable('app.runs')
    .set({ state: 'running', lease_expires_at: new Date(Date.now() + 60_000), bound_micros: spent + dollars(1) })
    .where('id', '=', run?.id ?? '')
    .execute();
  expect(await budgetOf(user, 'month')).toMatchObject({ sandbox: { spentMicros: 0, reservedMicros: dollars(1) } });
});

test('sandbox and real money are held against the same limit, each for itself', async () => {
  const user = await product.user();
  const listId = await listOf(product, user, 10, 'apart');
  await enrich(user, listId);
  const spent = (await budgetOf(user, 'month'))?.sandbox.spentMicros ?? 0;
  await user.call(setBudgetsEndpoint, limits({ month: spent }));
  await expect(enrich(user, await buildListOf(product.db, user.id, sites(3, 'apart-too')))).rejects.toThrow(
    /sandbox money/,
  );
  await sql`update app.usage_days set sandbox = false where user_id = ${user.id}`.execute(product.db);
  expect((await budgetOf(user, 'month'))?.real.spentMicros).toBe(spent);
  await enrich(user, await buildListOf(product.db, user.id, sites(1, 'apart-three')));
});

test('50, 80 and 100 % are told once each: on the dashboard until dismissed, and the last two by mail', async () => {
  const user = await product.user();
  await enrich(user, await listOf(product, user, 12, 'notices'));
  const spent = (await budgetOf(user, 'month'))?.sandbox.spentMicros ?? 0;
  const mailed = () => product.mails.filter((mail) => mail.to === user.email).map((mail) => mail.subject);
  const spentPercent = async (percent: number) => {
    await user.call(setBudgetsEndpoint, limits({ month: Math.floor((spent * 100) / percent) }));
    await Promise.all([mailNotices(product.deps), mailNotices(product.deps)]);
    return (await user.call(readBudgetsEndpoint)).notices;
  };
  expect(await spentPercent(49)).toEqual([]);
  expect(await spentPercent(51)).toEqual([{ budget: 'month', percent: 50, sandbox: true }]);
  expect(mailed()).toEqual([]);
  const dismissed = await user.call(dismissNoticeEndpoint, { budget: 'month', percent: 50, sandbox: true });
  expect(dismissed.notices).toEqual([]);
  expect(await spentPercent(85)).toEqual([{ budget: 'month', percent: 80, sandbox: true }]);
  expect(await spentPercent(90)).toEqual([{ budget: 'month', percent: 80, sandbox: true }]);
  expect(mailed()).toEqual([expect.stringMatching(/^80% of your sandbox budget for \w+ is spent$/)]);
  expect(await spentPercent(100)).toEqual([{ budget: 'month', percent: 100, sandbox: true }]);
  expect(mailed()).toHaveLength(2);
  expect(await spentPercent(85)).toHaveLength(1);
  expect(mailed()).toHaveLength(2);
});

test.each([
  ['', null],
  [' 25 ', dollars(25)],
  ['$1,200.50', dollars(1_200.5)],
  ['.5', dollars(0.5)],
  ['0', 0],
])('typed %j is %j micro-dollars', (typed, micros) => expect(TypedDollars.parse(typed)).toBe(micros));

test.each(['-1', '1.234', 'ten', '$', '1 000', '1000001', '1e3'])('typed %j is no amount', (typed) => {
  expect(TypedDollars.safeParse(typed).success).toBe(false);
});
