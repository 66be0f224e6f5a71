import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { deleteAccountEndpoint } from '#contract/account/account.ts';
import {
  type BudgetLimits,
  readBudgetsEndpoint,
  setBudgetsEndpoint,
  setUserBudgetsEndpoint,
} from '#contract/money/budgets.ts';
import { enrichEmailsEndpoint } from '#contract/work/enrichment.ts';
import { createGate, type Gate } from '#server/access/gate.ts';
import { createKeptLimits } from '#server/budgets/kept-limits.ts';
import { mailNotices } from '#server/features/budgets/mail-notices.ts';
import { forgetExpired } from '#server/features/retention/forget-expired.ts';
import { buildListOf } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

const NONE: BudgetLimits = { run: null, month: null, google_places: null, hunter_io: null, searchbug: null };
const dollars = (amount: number) => amount * 1_000_000;

let product: Product;
let admin: TestUser;
let gate: Gate;
beforeAll(async () => {
  product = await startProduct();
  admin = await product.admin();
  const keptLimits = createKeptLimits(product.deps.vault);
  gate = createGate({ db: product.db, adminEmails: [], strangersMayCome: true, keptLimits });
});

/** Anyone who is let in under this address, as a new account or with one's own. */
async function comeIn(email: string, id?: string): Promise<TestUser> {
  const user = id
    ? { id }
    : await product.db.insertInto('auth.users').values({ email }).returning('id').executeTakeFirstOrThrow();
  await product.db
    .insertInto('app.invitations')
    .values({ email, expires_at: new Date(Date.now() + 60_000) })
    .execute();
  const admission = await product.deps.db
    .transaction()
    .execute(async (tx) => gate.admit(tx, { id: user.id, email }, await gate.decide(email)));
  expect(admission.allow).toBe(true);
  return product.as({ id: user.id, email });
}
const limit = (user: TestUser, some: Partial<BudgetLimits>) =>
  admin.call(setUserBudgetsEndpoint, { limits: { ...NONE, ...some } }, { user_id: user.id });
const leave = (user: TestUser) => user.call(deleteAccountEndpoint, { email: user.email });
/** Enriches so many websites, each of which may cost five cents. */
async function spend(user: TestUser, sites: number, name: string): Promise<void> {
  await user.connect('hunter_io', 'sandbox');
  const leads = Array.from({ length: sites }, (_, index) => ({ website: `https://${name}${index}.example/` }));
  await user.call(enrichEmailsEndpoint, { list_id: await buildListOf(product.db, user.id, leads), steps: ['hunter'] });
}
const month = async (user: TestUser) =>
  (await user.call(readBudgetsEndpoint)).items.find((item) => item.id === 'month');
const keptRows = async () => {
  const { rows } = await sql<{ rows: number }>`
    select ((select count(*) from app.kept_limits) + (select count(*) from app.kept_spending))::integer as rows
  `.execute(product.db);
  return rows[0]?.rows;
};

test("an administrator's limit, and what was spent under it, outlives the account", async () => {
  let user = await comeIn('ann@back.example');
  await limit(user, { month: dollars(1), run: dollars(0.5) });
  await user.call(setBudgetsEndpoint, { limits: { ...NONE, month: dollars(3) } });
  await spend(user, 8, 'back');
  const spent = (await month(user))?.sandbox.spentMicros ?? 0;
  expect(spent).toBeGreaterThan(0);
  await leave(user);
  // Nothing tells whose it is.
  const { rows } = await sql`select * from app.kept_limits, app.kept_spending`.execute(product.db);
  expect(JSON.stringify(rows)).not.toMatch(/ann|back\.example/);

  user = await comeIn('Ann@Back.example');
  expect(await month(user)).toMatchObject({
    adminLimitMicros: dollars(1),
    limitMicros: null,
    sandbox: { spentMicros: spent, reservedMicros: 0 },
  });
  expect(await keptRows()).toBe(0);
  await spend(user, 6, 'again');
  const total = (await month(user))?.sandbox.spentMicros ?? 0;
  expect(total).toBeGreaterThan(spent);
  await expect(spend(user, Math.ceil((dollars(1) - total) / 50_000) + 1, 'over')).rejects.toMatchObject({
    code: 'BUDGET_EXCEEDED',
  });
  await expect(spend(user, 11, 'run')).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' });

  // And once more: what was spent before the account is counted as well.
  await leave(user);
  user = await comeIn('ann@back.example');
  expect(await month(user)).toMatchObject({ adminLimitMicros: dollars(1), sandbox: { spentMicros: total } });
  await limit(user, { month: Math.ceil(total / 0.9) });
  product.mails.length = 0;
  await mailNotices({ ...product.workerDeps, sendMail: async (mail) => void product.mails.push(mail) });
  expect(product.mails).toMatchObject([{ to: user.email }]);
});

test('of whom no administrator has limited nothing is kept, and of others only what counts', async () => {
  const free = await comeIn('free@back.example');
  await free.call(setBudgetsEndpoint, { limits: { ...NONE, month: dollars(1) } });
  await spend(free, 2, 'free');
  await leave(free);
  expect(await keptRows()).toBe(0);
  const held = await comeIn('held@back.example');
  await limit(held, { searchbug: dollars(1) });
  await spend(held, 2, 'held');
  await leave(held);
  expect(await keptRows()).toBe(1);
  // A limit that an administrator has taken away stays away.
  const again = await comeIn('held@back.example');
  await limit(again, {});
  await leave(again);
  expect(await keptRows()).toBe(0);
});

test('what is kept ends with the month', async () => {
  const user = await comeIn('old@back.example');
  await limit(user, { month: dollars(1) });
  await spend(user, 3, 'old');
  await leave(user);
  await sql`update app.kept_limits set month = month - interval '1 month'`.execute(product.db);
  await sql`update app.kept_spending set month = month - interval '1 month'`.execute(product.db);
  const again = await comeIn('old@back.example');
  expect(await month(again)).toMatchObject({ adminLimitMicros: null, sandbox: { spentMicros: 0 } });
  await limit(again, { month: dollars(1) });
  await leave(again);
  await sql`update app.kept_limits set month = month - interval '1 month'`.execute(product.db);
  await forgetExpired(product.workerDeps.db, new AbortController().signal);
  expect(await keptRows()).toBe(0);
});

test('a change of address between the two takes the limit away from neither', async () => {
  const user = await comeIn('first@back.example');
  await limit(user, { month: dollars(1) });
  await spend(user, 4, 'moved');
  const spent = (await month(user))?.sandbox.spentMicros;
  await product.db.updateTable('auth.users').set({ email: 'second@back.example' }).where('id', '=', user.id).execute();
  const moved = await comeIn('second@back.example', user.id);
  expect(await month(moved)).toMatchObject({ adminLimitMicros: dollars(1), sandbox: { spentMicros: spent } });
  await leave(moved);
  for (const email of ['first@back.example', 'second@back.example'])
    expect(await month(await comeIn(email))).toMatchObject({
      adminLimitMicros: dollars(1),
      sandbox: { spentMicros: spent },
    });
});
