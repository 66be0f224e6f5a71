import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setUserStatusEndpoint } from '#contract/admin/users.ts';
import { copyLeadsEndpoint, deleteLeadsEndpoint } from '#contract/work/move-leads.ts';
import { countAreaEndpoint, searchAreaEndpoint } from '#contract/work/search/surveys.ts';
import { SPACING } from '#server/paid-calls/departure/departures.ts';
import { CITY } from '#test/areas.ts';
import { buildList, readLeads, readList } from '#test/lists.ts';
import { type Product, startProduct, type TestUser } from '#test/product.ts';
import { resumeSearches } from './resume-searches.ts';

const usual = SPACING.google_places;
let product: Product;
beforeAll(async () => {
  Object.assign(SPACING, { google_places: [{ calls: 500, windowMs: 1_000 }] });
  product = await startProduct();
});
afterAll(() => void Object.assign(SPACING, { google_places: usual }));

const readRun = (id: string) =>
  product.db.selectFrom('app.runs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const ended = (id: string) =>
  expect.poll(async () => (await readRun(id)).state, { timeout: 60_000 }).not.toMatch(/queued|running/);
const runsOf = (listId: string) =>
  product.db.selectFrom('app.runs').selectAll().where('list_id', '=', listId).orderBy('created_at').execute();

async function count(user: TestUser, again?: true): Promise<void> {
  await user.call(countAreaEndpoint, { ...CITY, again });
  const look = async () => (await user.call(countAreaEndpoint, { ...CITY, watch: true })).state;
  await expect.poll(look, { timeout: 60_000 }).toBe('counted');
}

/** A search that has met its key's daily limit, and is to go on by itself. */
async function waiting(key: string, quota: number) {
  const user = await product.user();
  await user.connect('google_places', key);
  await count(user);
  await user.connect('google_places', `${key}-day-quota-${quota}`);
  const listId = await buildList(product.db, user.id);
  const { runId } = await user.call(searchAreaEndpoint, { ...CITY, list_id: listId, nextDay: true });
  await ended(runId);
  expect((await readRun(runId)).resume_at).not.toBeNull();
  return { user, listId, runId };
}

const dayComes = async (runId: string) => {
  await product.db.updateTable('app.runs').set({ resume_at: new Date() }).where('id', '=', runId).execute();
  await resumeSearches(product.deps);
};

test('a search whose owner is disabled when its day has come says so on its list', async () => {
  const { user, listId, runId } = await waiting('sandbox-city-300-n1', 6);
  const admin = await product.admin();
  await admin.call(setUserStatusEndpoint, { user_id: user.id, status: 'disabled' });
  await dayComes(runId);
  const [first, kept, ...others] = await runsOf(listId);
  expect(others).toEqual([]);
  expect(first?.resume_at).toBeNull();
  expect(kept).toMatchObject({ state: 'failed', kind: 'search', error_code: 'FORBIDDEN' });
  expect(kept?.error_message).toMatch(/account was disabled.*Press Retry/);
  expect(await readList(product.db, listId)).toMatchObject({ status: 'failed' });
});

test('a search whose list is archived when its day has come says so on the list, and goes on with Retry', async () => {
  const { user, listId, runId } = await waiting('sandbox-city-300-n9', 6);
  const moveTo = (lifecycle: string) =>
    product.db.updateTable('lists').set({ lifecycle_status: lifecycle }).where('id', '=', listId).execute();
  await moveTo('archived');
  await dayComes(runId);
  await moveTo('active');
  const [first, kept, ...others] = await runsOf(listId);
  expect(others).toEqual([]);
  expect(first?.resume_at).toBeNull();
  expect(kept).toMatchObject({ state: 'failed', error_message: expect.stringMatching(/archived.*Press Retry/) });
  expect(await readList(product.db, listId)).toMatchObject({ status: 'failed' });
  await user.connect('google_places', 'sandbox-city-300-n9');
  const { runId: retried } = await user.call(searchAreaEndpoint, { ...CITY, list_id: listId, nextDay: true });
  await ended(retried);
  expect(await readList(product.db, listId)).toMatchObject({ lead_count: 300, status: 'completed' });
});

test('a search whose area is no longer known when its day has come says so on its list', async () => {
  const { listId, runId } = await waiting('sandbox-city-300-n2', 6);
  const gone = { kind: 'counted', survey: crypto.randomUUID() };
  const { input } = await readRun(runId);
  await product.db
    .updateTable('app.runs')
    .set({ input: JSON.stringify({ ...Object(input), area: gone }) })
    .where('id', '=', runId)
    .execute();
  await dayComes(runId);
  const [first, kept] = await runsOf(listId);
  expect(first?.resume_at).toBeNull();
  expect(kept).toMatchObject({
    state: 'failed',
    error_code: 'VALIDATION_FAILED',
    error_message: expect.stringContaining('Choose it again'),
  });
});

test('a search that is refused while other work is on its list is tried again when that has ended', async () => {
  const { user, listId, runId } = await waiting('sandbox-city-300-n3', 6);
  const { id: other } = await product.db
    .insertInto('app.runs')
    .values({
      user_id: user.id,
      list_id: listId,
      list_name: '',
      kind: 'enrichment',
      state: 'running',
      input: '{}',
      estimate_micros: 0,
      bound_micros: 0,
      sandbox: true,
      lease_owner: crypto.randomUUID(),
      lease_expires_at: new Date(Date.now() + 3_600_000),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await product.db.deleteFrom('app.provider_keys').where('user_id', '=', user.id).execute();
  await dayComes(runId);
  expect((await readRun(runId)).resume_at?.getTime()).toBeGreaterThan(Date.now());
  await product.db.updateTable('app.runs').set({ state: 'cancelled' }).where('id', '=', other).execute();
  await dayComes(runId);
  expect((await runsOf(listId)).at(-1)).toMatchObject({ state: 'failed', error_code: 'MISSING_API_KEY' });
  expect((await readRun(runId)).resume_at).toBeNull();
});

/** The pages that a person has paid for: of which part of the area, and which page of it. */
async function paidPages(user: TestUser) {
  const calls = await product.db
    .selectFrom('app.paid_calls')
    .select('subject')
    .where('user_id', '=', user.id)
    .where('operation', '=', 'search_page')
    .where('state', '=', 'answered')
    .orderBy('planned_at')
    .execute();
  return calls.map(({ subject }) => {
    const [, part = '', page = ''] = /^(.*), look .*, (page \d)$/.exec(subject) ?? [];
    return { part, page: `${part} ${page}` };
  });
}

const goesOn = async (runId: string, listId: string) => {
  await dayComes(runId);
  const { id = '' } = (await runsOf(listId)).at(-1) ?? {};
  expect(id).not.toBe(runId);
  await ended(id);
  return id;
};

test.each<[string, (user: TestUser) => Promise<unknown>]>([
  ['counts its area again', (user) => count(user, true)],
  [
    'has waited for more than two days',
    async () => {
      const long = sql<Date>`expires_at - interval '73 hours'`;
      await product.db
        .updateTable('app.answers')
        .set({ expires_at: long })
        .where('operation', '=', 'search_page')
        .execute();
    },
  ],
  [
    'has waited for so long that no page is remembered',
    async () => {
      await sql`update app.answers set expires_at = now() where operation = 'search_page'`.execute(product.db);
    },
  ],
  [
    'has tokens of pages that have run out',
    async () => {
      await sql`
        update app.answers set answer = jsonb_set(answer, '{nextPageToken}', '"old"') where operation = 'search_page'
      `.execute(product.db);
    },
  ],
])('a search whose owner %s pays for no page again when it goes on', async (how, meanwhile) => {
  const key = `sandbox-city-300-n4-${how.length}`;
  const { user, listId, runId } = await waiting(key, 6);
  await user.connect('google_places', key);
  await meanwhile(user);
  const last = await goesOn(runId, listId);
  expect(await readRun(last)).toMatchObject({ state: 'completed' });
  const paid = (await paidPages(user)).map(({ page }) => page);
  expect(new Set(paid).size).toBe(paid.length);
  expect(await readList(product.db, listId)).toMatchObject({ lead_count: 300 });
});

test.each([
  ['are remembered', sql`select`],
  ['are forgotten', sql`update app.answers set expires_at = now() where operation = 'search_page'`],
])(
  'leads that are deleted or moved while a search waits for its day neither return nor cost anything when pages %s',
  async (how, meanwhile) => {
    const key = `sandbox-city-300-n8-${how.length}`;
    const { user, listId, runId } = await waiting(key, 9);
    const before = (await readLeads(product.db, listId)).map(({ id, place_id: place }) => ({ id, place: place ?? '' }));
    const [gone, moved] = [before.slice(0, 60), before.slice(60, 100)];
    expect(moved.length).toBeGreaterThan(10);
    await user.call(deleteLeadsEndpoint, { lead_ids: gone.map(({ id }) => id) }, { listId });
    const move = { lead_ids: moved.map(({ id }) => id), remove: true, to: { name: 'Others' } };
    await user.call(copyLeadsEndpoint, move, { listId });
    await meanwhile.execute(product.db);
    await user.connect('google_places', key);
    expect(await readRun(await goesOn(runId, listId))).toMatchObject({ state: 'completed' });
    const after = new Set((await readLeads(product.db, listId)).map(({ place_id: place }) => place));
    expect([...gone, ...moved].filter(({ place }) => after.has(place))).toEqual([]);
    expect(after.size).toBe(300 - gone.length - moved.length);
    const paid = (await paidPages(user)).map(({ page }) => page);
    expect(new Set(paid).size).toBe(paid.length);
  },
);

test('a search that goes on begins with the parts whose first pages it has', async () => {
  const key = 'sandbox-city-1000-n5';
  const { user, listId, runId } = await waiting(key, 6);
  // Enough for them in any order: five parts are bought at once, so others begin before the last of these is whole.
  await user.connect('google_places', `${key}-day-quota-24`);
  const begun = new Set((await paidPages(user)).map(({ part }) => part));
  await goesOn(runId, listId);
  const paid = await paidPages(user);
  const { rows } = await sql<{ part: string; pages: number }>`
    select 'dentist in ' || concat_ws(',', south, west, north, east) as part, pages from app.survey_tiles
    where survey_id in (select id from app.surveys where user_id = ${user.id})
  `.execute(product.db);
  const leaves = rows.filter(({ part }) => begun.has(part));
  expect(leaves.length).toBeGreaterThan(3);
  const paidOf = (leaf: string) => paid.filter(({ part }) => part === leaf).length;
  expect(leaves.map(({ part }) => paidOf(part))).toEqual(leaves.map(({ pages }) => pages));
});

test('a search whose key stays out of quota goes on for three days in vain, and then says so', async () => {
  const { user, listId, runId } = await waiting('sandbox-city-300-n6', 6);
  let last = runId;
  for (const isOver of [false, false, true]) {
    last = await goesOn(last, listId);
    expect((await readRun(last)).resume_at === null).toBe(isOver);
  }
  const { error_code: code, error_message: message } = await readRun(last);
  expect(code).toBe('OUT_OF_CREDIT');
  expect(message).toMatch(/no longer continues by itself.*press Retry/);
  // A person who presses Retry begins again from nothing.
  const { runId: retried } = await user.call(searchAreaEndpoint, { ...CITY, list_id: listId, nextDay: true });
  await ended(retried);
  expect((await readRun(retried)).resume_at).not.toBeNull();
  // A day on which something comes counts as none in vain.
  await goesOn(retried, listId);
  await user.connect('google_places', 'sandbox-city-300-n6-day-quota-8');
  const moved = await goesOn((await runsOf(listId)).at(-1)?.id ?? '', listId);
  expect((await readRun(moved)).input).toMatchObject({ idleDays: 0 });
});

test('a search that noted its next day, was taken up again and then failed for good does not go on', async () => {
  Object.assign(SPACING, { google_places: [{ calls: 20, windowMs: 1_000 }] });
  const user = await product.user();
  await user.connect('google_places', 'sandbox-city-300-n7-bad-key-later');
  const listId = await buildList(product.db, user.id);
  const { runId } = await user.call(searchAreaEndpoint, { ...CITY, list_id: listId, nextDay: true });
  await expect.poll(async () => (await readRun(runId)).state).toBe('running');
  // Its process died as it had noted that.
  const died = {
    resume_at: new Date(Date.now() + 3_600_000),
    resume_micros: 9_000_000,
    lease_owner: crypto.randomUUID(),
  };
  await product.db
    .updateTable('app.runs')
    .set({ ...died, lease_expires_at: new Date(0) })
    .where('id', '=', runId)
    .execute();
  Object.assign(SPACING, { google_places: [{ calls: 500, windowMs: 1_000 }] });
  await ended(runId);
  expect(await readRun(runId)).toMatchObject({ error_code: 'PROVIDER_BAD_CREDENTIALS', resume_at: null });
});
