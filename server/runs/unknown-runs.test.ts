import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { enrichEmailsEndpoint } from '#contract/work/enrichment.ts';
import { cancelRunEndpoint, getRunEndpoint, listRunsEndpoint } from '#contract/work/runs.ts';
import { eventually } from '#test/eventually.ts';
import { buildListOf, readList, readRuns } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

let product: Product;
let user: TestUser;
beforeAll(async () => {
  product = await startProduct();
  user = await product.user();
  await user.connect('hunter_io', 'sandbox-unknown-step');
});

/** A run that a server of a later version has begun. */
async function plant(listId: string, { kind = 'enrichment', steps }: { kind?: string; steps?: string[] }) {
  const { rows } = await sql<{ id: string }>`
    insert into app.runs (user_id, list_id, list_name, kind, input, sandbox, bound_micros)
    values (${user.id}, ${listId}, 'Later', ${kind}, ${JSON.stringify(steps ? { steps } : {})}, true, 100000) returning id
  `.execute(product.db);
  await sql`update public.lists set status = 'processing', sandbox = true where id = ${listId}`.execute(product.db);
  return rows[0]?.id ?? '';
}
const stateOf = async (id: string) =>
  (await product.db.selectFrom('app.runs').select(['state', 'started_at']).where('id', '=', id).executeTakeFirst()) ??
  {};

test('a run with a step that this version does not know is left for a later one, and can be canceled', async () => {
  const [later, own] = await Promise.all([
    buildListOf(product.db, user.id, [{ email: 'a@unknown.example' }], { sandbox: true }),
    buildListOf(product.db, user.id, [{ website: 'https://www.unknown1.example/' }]),
  ]);
  const planted = await plant(later, { steps: ['hunter', 'hologram'] });
  // Others go on, before and after which the worker has looked for the next one.
  await user.call(enrichEmailsEndpoint, { list_id: own, steps: ['hunter'] });
  expect(await stateOf(planted)).toEqual({ state: 'queued', started_at: null });
  const { run } = await user.call(getRunEndpoint, undefined, { id: planted });
  expect(run).toMatchObject({ kind: 'enrichment', state: 'queued', steps: ['hunter'] });

  // One whose process has died, as well.
  await sql`
    update app.runs set state = 'running', started_at = now(), lease_owner = gen_random_uuid(), lease_expires_at = now() - interval '1 minute'
    where id = ${planted}
  `.execute(product.db);
  await user.call(enrichEmailsEndpoint, { list_id: own, steps: ['hunter'] });
  expect(await stateOf(planted)).toMatchObject({ state: 'running' });

  await user.call(cancelRunEndpoint, undefined, { id: planted });
  await eventually(async () => expect(await stateOf(planted)).toMatchObject({ state: 'cancelled' }));
  expect((await readList(product.db, later)).status).toBe('completed');
});

test('a run of a kind that this version does not know is neither worked on nor shown', async () => {
  const listId = await buildListOf(product.db, user.id, [{ email: 'a@unknown.example' }], { sandbox: true });
  await sql`alter table app.runs drop constraint runs_kind_check`.execute(product.db);
  const planted = await plant(listId, { kind: 'hologram' });
  const own = await buildListOf(product.db, user.id, [{ website: 'https://www.unknown2.example/' }]);
  await user.call(enrichEmailsEndpoint, { list_id: own, steps: ['hunter'] });
  expect(await stateOf(planted)).toEqual({ state: 'queued', started_at: null });
  expect(await user.call(listRunsEndpoint, undefined, { list_id: listId })).toEqual({ runs: [] });
  expect((await user.call(listRunsEndpoint)).runs.map(({ id }) => id)).not.toContain(planted);
  await expect(user.call(getRunEndpoint, undefined, { id: planted })).rejects.toMatchObject({ status: 404 });
  expect((await readRuns(product.db, user.id)).filter(({ state }) => state === 'failed')).toEqual([]);
});

test('a run that waits behind one of a kind that this version does not know says how many are ahead, and names none', async () => {
  const listId = await buildListOf(product.db, user.id, [{ email: 'a@unknown.example' }], { sandbox: true });
  await sql`alter table app.runs drop constraint if exists runs_kind_check`.execute(product.db);
  const ahead = await plant(listId, { kind: 'hologram' });
  // Behind it, one that only a later version works on, so that it stays where it is.
  const waiting = await plant(listId, { steps: ['hologram'] });
  const { run } = await user.call(getRunEndpoint, undefined, { id: waiting });
  expect(run.queue?.behind).toBeNull();
  expect(run.queue?.ahead).toBeGreaterThanOrEqual(1);
  await sql`update app.runs set state = 'cancelled', finished_at = now() where id in (${ahead}, ${waiting})`.execute(
    product.db,
  );
});
