import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { searchLeadsEndpoint } from '#contract/work/search.ts';
import { eventually } from '#test/eventually.ts';
import { buildList, readCalls, readLeads, readList, readRuns } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';

/** Where the leads of a list wait while the test holds it. */
const GATE = 67;

let product: Product;
let user: TestUser;
beforeAll(async () => {
  product = await startProduct();
  user = await product.user();
  await user.connect('google_places', 'sandbox-meanwhile');
});

const search = (listId: string) =>
  user.call(searchLeadsEndpoint, {
    query: 'plumber',
    location: 'Springfield, IL',
    list_id: listId,
    radius: 40_234,
    maxResults: 60,
  });
const pages = async () =>
  (await readCalls(product.db, user.id)).filter((call) => call.operation === 'search_page').map((call) => call.state);

/** Has each lead that is added do this first. */
async function beforeLeads(statement: string, work: () => Promise<void>): Promise<void> {
  await sql
    .raw(
      `create function public.before_leads() returns trigger language plpgsql as $$ begin ${statement}; return new; end $$`,
    )
    .execute(product.db);
  await sql`create trigger before_leads before insert on public.leads for each row execute function public.before_leads()`.execute(
    product.db,
  );
  try {
    await work();
  } finally {
    await sql`drop function public.before_leads cascade`.execute(product.db);
  }
}

test('a page whose leads cannot be stored stays paid and remembered, and the next search has them for nothing', async () => {
  const listId = await buildList(product.db, user.id);
  await beforeLeads(`raise exception 'no leads today'`, async () => {
    await expect(search(listId)).rejects.toMatchObject({ code: 'INTERNAL' });
  });
  expect(await readLeads(product.db, listId)).toEqual([]);
  expect((await readRuns(product.db, user.id)).map((run) => run.state)).toEqual(['failed']);
  const bought = await pages();
  expect(bought.length).toBeGreaterThan(1);
  expect(new Set(bought)).toEqual(new Set(['answered']));
  const { leads = [] } = await search(listId);
  expect(leads.length).toBeGreaterThan(20);
  expect(await pages()).toHaveLength(3);
});

test('a page is put into the list while the next one is on its way, each behind the one before', async () => {
  user = await product.user();
  await user.connect('google_places', 'sandbox-meanwhile-2');
  const listId = await buildList(product.db, user.id);
  await beforeLeads(`perform pg_advisory_xact_lock(${GATE})`, async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const { promise: closed, resolve: close } = Promise.withResolvers<void>();
    const gate = product.db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(${GATE})`.execute(tx);
      close();
      await opened;
    });
    await closed;
    const searched = search(listId);
    try {
      await eventually(async () => expect(await pages()).toEqual(['answered', 'answered', 'sent']));
      expect(await readLeads(product.db, listId)).toEqual([]);
      expect(await readList(product.db, listId)).toMatchObject({ status: 'processing' });
    } finally {
      open();
      await gate;
    }
    const { leads = [] } = await searched;
    expect(await pages()).toEqual(['answered', 'answered', 'answered']);
    expect(leads.map((lead) => lead.position)).toEqual(leads.map((_, index) => index));
    expect(await readList(product.db, listId)).toMatchObject({ status: 'completed', lead_count: leads.length });
    const [run] = await readRuns(product.db, user.id);
    expect(run?.totals).toMatchObject({ pages: 3, pagesLost: 0, kept: leads.length });
  });
});
