import { sql } from 'kysely';
import { beforeAll, expect, test, vi } from 'vitest';
import { deleteAccountEndpoint } from '#contract/account/account.ts';
import { listKeysEndpoint } from '#contract/account/api-keys.ts';
import { enrichEmailsEndpoint } from '#contract/work/enrichment.ts';
import { buildListOf, readCalls } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct({ latencyMs: 100 });
});

const TABLES = [
  'auth.users',
  'auth.sessions',
  'app.profiles',
  'app.provider_keys',
  'public.lists',
  'app.runs',
  'app.paid_calls',
  'app.answers',
];
/** Names of the tables that still hold something of a person. */
async function traces(userId: string): Promise<string[]> {
  const left: string[] = [];
  for (const table of TABLES) {
    const column = sql.ref(table === 'auth.users' ? 'id' : 'user_id');
    const { rows } = await sql`select from ${sql.table(table)} where ${column} = ${userId}`.execute(product.db);
    if (rows.length > 0) left.push(table);
  }
  return left;
}
const promote = (user: TestUser, role = 'admin') =>
  product.db.updateTable('app.profiles').set({ role }).where('user_id', '=', user.id).execute();
const leadsOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ website: `https://${name}${index}.example/` }));

test('the account goes with everything in it; others keep theirs', async () => {
  const [ann, ben] = [await product.user('ann'), await product.user('ben')];
  for (const user of [ann, ben]) {
    await user.connect('hunter_io', `sandbox-${user.id}`);
    const list_id = await buildListOf(product.db, user.id, leadsOf('deleted', 3));
    await user.call(enrichEmailsEndpoint, { list_id, steps: ['hunter'] });
  }
  await product.db
    .insertInto('app.invitations')
    .values({ email: ann.email.toUpperCase(), accepted_at: new Date(), expires_at: new Date() })
    .execute();
  expect(await ann.call(deleteAccountEndpoint, { email: ` ${ann.email.toUpperCase()} ` })).toEqual({ id: ann.id });
  expect(await traces(ann.id)).toEqual([]);
  expect(await traces(ben.id)).toEqual(TABLES);
  expect(await product.db.selectFrom('app.invitations').selectAll().execute()).toEqual([]);
  const log = await product.db.selectFrom('app.audit_log').selectAll().where('target', '=', ann.id).execute();
  expect(log).toMatchObject([
    { action: 'account.deleted', actor_id: null, actor_email: null, ip: '127.0.0.1', details: {} },
  ]);
  await expect(ann.call(listKeysEndpoint)).rejects.toMatchObject({ status: 401 });
});

test.each(['', 'someone@else.example'])('it is kept when %o is typed', async (email) => {
  const ann = await product.user('ann');
  await expect(ann.call(deleteAccountEndpoint, { email })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  expect(await traces(ann.id)).toContain('auth.users');
});

test('the last active administrator stays; of two who leave at once, one does', async () => {
  const [ann, ben, cas] = [await product.user('ann'), await product.user('ben'), await product.user('cas')];
  await Promise.all([promote(ann), promote(ben), promote(cas)]);
  await product.db.updateTable('app.profiles').set({ status: 'disabled' }).where('user_id', '=', cas.id).execute();
  const leaving = await Promise.allSettled(
    [ann, ben].map((one) => one.call(deleteAccountEndpoint, { email: one.email })),
  );
  expect(leaving.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected']);
  const refused = leaving.find((one) => one.status === 'rejected');
  expect(refused?.reason).toMatchObject({
    code: 'CONFLICT',
    message: 'This is the last active administrator. Make someone else an administrator first.',
  });
  await product.db.updateTable('app.profiles').set({ role: 'user' }).execute();
});

test('during an enrichment: the run stops, no one crashes and nothing comes back', async () => {
  const ann = await product.user('ann');
  const key = `sandbox-${ann.id}`;
  await ann.connect('hunter_io', key);
  const list_id = await buildListOf(product.db, ann.id, leadsOf('running', 80));
  const outcome = ann.call(enrichEmailsEndpoint, { list_id, steps: ['hunter'] }).catch((error: unknown) => error);
  const asked = () => product.sandbox.meter.callsBySubject('hunter', key).size;
  await vi.waitFor(() => expect(asked()).toBeGreaterThan(10), { timeout: 15_000, interval: 10 });
  await ann.call(deleteAccountEndpoint, { email: ann.email });
  expect(await outcome).toMatchObject({ code: 'RUN_CANCELLED' });
  await expect.poll(() => product.log.some((line) => /run was (gone|taken over)/.test(line))).toBe(true);
  const askedWhenGone = asked();
  expect(askedWhenGone).toBeLessThan(80);
  expect(await traces(ann.id)).toEqual([]);
  expect(product.log.filter((line) => line.includes('"level":50'))).toEqual([]);

  const ben = await product.user('ben');
  await ben.connect('hunter_io', `sandbox-${ben.id}`);
  const next = await buildListOf(product.db, ben.id, leadsOf('after', 2));
  expect(await ben.call(enrichEmailsEndpoint, { list_id: next, steps: ['hunter'] })).toMatchObject({
    total_domains_processed: 2,
  });
  expect(await readCalls(product.db, ben.id)).toHaveLength(2);
  expect(asked()).toBe(askedWhenGone);
  expect(await traces(ann.id)).toEqual([]);
});
