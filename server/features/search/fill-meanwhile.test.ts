import { sql } from 'kysely';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { cancelRunEndpoint } from '#contract/work/runs.ts';
import { searchLeadsEndpoint } from '#contract/work/search/search.ts';
import { SPACING } from '#server/paid-calls/departure/departures.ts';
import { eventually } from '#test/eventually.ts';
import { buildList, readCalls, readLeads, readList, readRuns } from '#test/lists.ts';
import { type Process, type Product, startProduct, type TestUser } from '#test/product.ts';

/** Where the leads of a list wait while the test holds it. */
const GATE = 67;
/** Long enough for a list to be filled, or not, while a page is on its way, in ms. */
const LATENCY_MS = 400;
const usual = SPACING.google_places;

let product: Product;
let worker: Process;
let user: TestUser;
beforeAll(async () => {
  product = await startProduct({ worker: false, latencyMs: LATENCY_MS });
  worker = await product.process();
});
let keys = 0;
beforeEach(async () => {
  user = await product.user();
  keys += 1;
  await user.connect('google_places', `sandbox-meanwhile-${keys}`);
});
afterEach(() => void Object.assign(SPACING, { google_places: usual }));

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
  // The second page had left by then, and no other did afterwards.
  expect(await pages()).toEqual(['answered', 'answered']);
  const { leads = [] } = await search(listId);
  expect(leads.length).toBeGreaterThan(20);
  expect(await pages()).toHaveLength(3);
});

test('what the leads of a page are refused for once does not fail their run', async () => {
  const listId = await buildList(product.db, user.id);
  await sql`create sequence public.fills`.execute(product.db);
  await sql`grant all on sequence public.fills to public`.execute(product.db);
  await beforeLeads(`if nextval('public.fills') = 1 then raise exception 'not yet'; end if`, async () => {
    const { leads = [] } = await search(listId);
    expect(leads.map((lead) => lead.position)).toEqual(leads.map((_, index) => index));
    const [run] = await readRuns(product.db, user.id);
    expect(run).toMatchObject({ state: 'completed', totals: { pages: 3, pagesLost: 0, kept: leads.length } });
  });
  await sql`drop sequence public.fills`.execute(product.db);
});

test('a run that is canceled says so when a page that it has paid for is not in its list', async () => {
  // The place and the first page may leave, and the second one not for a long time.
  Object.assign(SPACING, { google_places: [{ calls: 2, windowMs: 600_000 }] });
  const listId = await buildList(product.db, user.id);
  await beforeLeads(`raise exception 'no leads today'`, async () => {
    const searched = expect(search(listId)).rejects.toMatchObject({ code: 'INTERNAL' });
    await eventually(async () => expect(await pages()).toEqual(['answered', 'planned']));
    const [run] = await readRuns(product.db, user.id);
    await user.call(cancelRunEndpoint, undefined, { id: run?.id ?? '' });
    await searched;
  });
  expect(await readRuns(product.db, user.id)).toMatchObject([{ state: 'failed', error_code: 'INTERNAL' }]);
  Object.assign(SPACING, { google_places: usual });
  await sql`delete from app.call_spacing`.execute(product.db);
  const { leads = [] } = await search(listId);
  expect(leads.length).toBeGreaterThan(20);
  expect((await pages()).filter((state) => state === 'answered')).toHaveLength(3);
});

test('a run whose process died before it was canceled has the pages that it has paid for in its list', async () => {
  Object.assign(SPACING, { google_places: [{ calls: 2, windowMs: 600_000 }] });
  const listId = await buildList(product.db, user.id);
  const searched = expect(search(listId)).rejects.toMatchObject({ code: 'RUN_CANCELLED' });
  await eventually(async () => expect(await pages()).toEqual(['answered', 'planned']));
  await eventually(async () => expect(await readLeads(product.db, listId)).not.toEqual([]));
  const [run] = await readRuns(product.db, user.id);
  await worker.stop();
  // As if it had died between the booking of the page and its leads.
  await product.db.deleteFrom('leads').where('list_id', '=', listId).execute();
  await sql`update public.lists set lead_count = 0 where id = ${listId}`.execute(product.db);
  await sql`update app.runs set totals = '{}' where id = ${run?.id}`.execute(product.db);
  await user.call(cancelRunEndpoint, undefined, { id: run?.id ?? '' });
  worker = await product.process();
  await searched;
  const leads = await readLeads(product.db, listId);
  expect(leads.length).toBeGreaterThan(5);
  expect(await readList(product.db, listId)).toMatchObject({ status: 'completed', lead_count: leads.length });
  expect(await readRuns(product.db, user.id)).toMatchObject([
    { state: 'cancelled', error_code: null, totals: { pages: 1, kept: leads.length } },
  ]);
});

test('a page is put into the list while the next one is on its way, each behind the one before', async () => {
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
