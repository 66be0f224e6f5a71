import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { deleteAccountEndpoint } from '#contract/account/account.ts';
import { settleCallsEndpoint } from '#contract/money/paid-calls.ts';
import { enrichEmailsEndpoint } from '#contract/work/enrichment.ts';
import { listRunsEndpoint } from '#contract/work/runs.ts';
import type { Db } from '#db/connection/client.ts';
import { buildListOf, readCalls, readList, readRuns } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';
import { costOfRun } from './ledger/cost-of-run.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});

const sites = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => ({ website: `https://${name}${index}.example/` }));
const enrich = (user: TestUser, listId: string) =>
  user.call(enrichEmailsEndpoint, { list_id: listId, steps: ['hunter'] });

/** The sums as they must be, added up again, beside those that are kept. */
async function bothSums(db: Db) {
  const { rows: kept } = await sql`
    select run_id, day, operation, sent, answered, failed, uncertain, cost_micros, uncertain_micros, recalled, saved_micros
    from app.ledger_days where (sent, answered, failed, uncertain, cost_micros, recalled) <> (0, 0, 0, 0, 0, 0) order by 1, 2, 3
  `.execute(db);
  const { rows: added } = await sql`
    select run_id, day, operation, sum(sent)::integer as sent, sum(answered)::integer as answered, sum(failed)::integer as failed,
      sum(uncertain)::integer as uncertain, sum(cost)::bigint as cost_micros, sum(maybe)::bigint as uncertain_micros,
      sum(recalled)::integer as recalled, sum(saved)::bigint as saved_micros
    from (
      select run_id, (coalesce(sent_at, planned_at) at time zone 'UTC')::date as day, operation, (state = 'sent')::integer as sent,
        (state = 'answered')::integer as answered, (state = 'failed' and sent_at is not null)::integer as failed, (state = 'uncertain')::integer as uncertain,
        cost_micros as cost, case when state = 'uncertain' then cost_micros else 0 end as maybe, 0 as recalled, 0 as saved
      from app.paid_calls where state <> 'planned' or cost_micros > 0
      union all
      select run_id, (recalled_at at time zone 'UTC')::date, operation, 0, 0, 0, 0, 0, 0, 1, saved_micros from app.recalls
    ) as one group by 1, 2, 3 order by 1, 2, 3
  `.execute(db);
  return { kept, added };
}

/** The same for the sums that the usage page reads, of which a row that counts for nothing may be left. */
async function requireUsageSums(db: Db, userId: string): Promise<void> {
  const one = sql`
    select call.user_id, call.sandbox, (coalesce(sent_at, planned_at) at time zone 'UTC')::date as day, call.provider,
      (run.created_at at time zone 'UTC')::date as begun, run.list_key,
      (call.state <> 'planned' and (call.state <> 'failed' or sent_at is not null))::integer as calls,
      (call.state = 'failed' and sent_at is not null)::integer as failed, (call.state = 'uncertain')::integer as uncertain,
      cost_micros, case when call.state = 'uncertain' then cost_micros else 0 end as uncertain_micros, 0 as recalled, 0 as saved_micros
    from app.paid_calls as call join app.runs as run on run.id = call.run_id where call.state <> 'planned' or cost_micros > 0
    union all
    select recall.user_id, recall.sandbox, (recalled_at at time zone 'UTC')::date, provider, (run.created_at at time zone 'UTC')::date,
      run.list_key, 0, 0, 0, 0, 0, 1, saved_micros
    from app.recalls as recall join app.runs as run on run.id = recall.run_id
  `;
  const sums = sql`sum(calls)::integer as calls, sum(failed)::integer as failed, sum(uncertain)::integer as uncertain,
    sum(cost_micros)::bigint as cost_micros, sum(uncertain_micros)::bigint as uncertain_micros, sum(recalled)::integer as recalled,
    sum(saved_micros)::bigint as saved_micros`;
  for (const [table, key] of [
    [sql.table('app.usage_days'), sql`sandbox, day, provider, begun`],
    [sql.table('app.usage_lists'), sql`sandbox, day, list_key`],
  ] as const) {
    const { rows: kept } = await sql`
      select ${key}, ${sums} from ${table} where user_id = ${userId} group by ${key}
      having (sum(calls), sum(cost_micros), sum(recalled)) <> (0, 0, 0) order by ${key}
    `.execute(db);
    const { rows: added } = await sql`
      select ${key}, ${sums} from (${one}) as one where user_id = ${userId} group by ${key}
      having (sum(calls), sum(cost_micros), sum(recalled)) <> (0, 0, 0) order by ${key}
    `.execute(db);
    expect(added.length).toBeGreaterThan(0);
    expect(kept).toEqual(added);
  }
}

test('what is kept equals what the ledger adds up to, whatever happens to its rows', async () => {
  const user = await product.user();
  await user.connect('hunter_io', 'sandbox-sums');
  const first = await buildListOf(product.db, user.id, sites(12, 'sums'));
  const second = await buildListOf(product.db, user.id, sites(15, 'sums'));
  await enrich(user, first);
  await enrich(user, second);
  const { kept, added } = await bothSums(product.db);
  expect(kept).toEqual(added);
  expect(kept.at(1) ?? kept[0]).toBeDefined();
  await requireUsageSums(product.db, user.id);

  const states = ['planned', 'sent', 'answered', 'failed', 'uncertain'];
  const ids = (await readCalls(product.db, user.id)).map((call) => call.id);
  for (let step = 0; step < 40; step += 1) {
    const some = ids.filter((_, index) => (index * 7 + step) % 3 === 0);
    await sql`
      update app.paid_calls set state = ${states[(step * 3) % 5] ?? 'failed'}, cost_micros = ${step * 1_000},
        sent_at = ${new Date(Date.UTC(2026, 10, 1 + (step % 4), 23, 59))}
      where id = any(${some}::uuid[]) and (state <> 'planned' or ${step % 2 === 0}::boolean)
    `.execute(product.db);
  }
  const changed = await bothSums(product.db);
  expect(changed.kept).toEqual(changed.added);
  expect(changed.kept.length).toBeGreaterThan(kept.length);
  await requireUsageSums(product.db, user.id);

  // By hand, and of a list that is gone.
  await product.db.deleteFrom('lists').where('id', '=', second).execute();
  const uncertain = (await readCalls(product.db, user.id)).filter(({ state }) => state === 'uncertain');
  expect(uncertain.length).toBeGreaterThan(1);
  for (const [index, { id }] of uncertain.entries())
    await user.call(settleCallsEndpoint, { call_ids: [id], charged: index % 2 === 0 });
  await requireUsageSums(product.db, user.id);
});

test('with an account the sums of its ledger go, and no one else’s', async () => {
  const [user, other] = [await product.user(), await product.user()];
  for (const one of [user, other]) {
    await one.connect('hunter_io', 'sandbox-gone');
    await enrich(one, await buildListOf(product.db, one.id, sites(3, 'gone')));
  }
  await user.call(deleteAccountEndpoint, { email: user.email });
  for (const table of ['app.usage_days', 'app.usage_lists', 'app.ledger_days'] as const)
    expect(await product.db.selectFrom(table).where('user_id', '=', user.id).execute()).toEqual([]);
  await requireUsageSums(product.db, other.id);
});

test('what remembering saved is what the answers had cost, each counted once for a run', async () => {
  const user = await product.user();
  await user.connect('hunter_io', 'sandbox-saved');
  const [first, second] = [
    await buildListOf(product.db, user.id, sites(8, 'saved')),
    await buildListOf(product.db, user.id, sites(8, 'saved')),
  ];
  const paid = (await enrich(user, first)).cost;
  expect((await enrich(user, second)).cost).toBe(0);
  const { rows } = await sql<{ recalled: number; saved: number }>`
    select sum(recalled)::integer as recalled, sum(saved_micros)::bigint as saved from app.ledger_days where user_id = ${user.id}
  `.execute(product.db);
  expect(rows).toEqual([{ recalled: 8, saved: Math.round(paid * 1_000_000) }]);
  expect(paid).toBeGreaterThan(0);
});

test('a run stops before it would spend more than its bound, and keeps what it has found', async () => {
  const user = await product.user();
  await user.connect('hunter_io', 'sandbox-bound');
  const listId = await buildListOf(product.db, user.id, sites(40, 'bound'));
  await sql`
    create function tighten() returns trigger language plpgsql as $$ begin new.bound_micros := 120000; return new; end $$;
    create trigger tighten before insert on app.runs for each row execute function tighten();
  `.execute(product.db);
  try {
    await expect(enrich(user, listId)).rejects.toMatchObject({ code: 'BOUND_REACHED', message: /limit of \$0\.12/ });
  } finally {
    await sql`drop trigger tighten on app.runs; drop function tighten()`.execute(product.db);
  }
  const [run] = await readRuns(product.db, user.id);
  expect(run).toMatchObject({ state: 'cancelled', error_code: 'BOUND_REACHED' });
  const spent = await costOfRun(product.db, run?.id ?? '');
  expect(spent).toBeGreaterThan(0);
  expect(spent).toBeLessThanOrEqual(120_000);
  expect(product.sandbox.meter.rows().find((row) => row.key === 'sandbox-bound')?.micros).toBe(spent);
  expect((await readList(product.db, listId)).status).toBe('completed');
  expect((await user.call(listRunsEndpoint, undefined, { list_id: listId })).runs[0]).toMatchObject({
    costMicros: spent,
  });

  // The rest, without the bound, pays for none of it again.
  await enrich(user, listId);
  const calls = await readCalls(product.db, user.id);
  expect(calls.filter((call) => call.state === 'answered')).toHaveLength(40);
});
