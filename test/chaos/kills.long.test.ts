import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { RUN_KINDS, RUN_STATES } from '#contract/work/runs.ts';
import { createVault } from '#db/sealed/vault.ts';
import { evidenceVault } from '#server/evidence/evidence-vault.ts';
import { verifyChain } from '#server/evidence/verify-chain.ts';
import { forEachAtOnce } from '#server/lib/for-each-at-once.ts';
import { throughOutage } from '#server/lib/through-outage.ts';
import { ENCRYPTION_KEY } from '#test/product.ts';
import { chanceOf, disturbing, FULL, KILLS, SIZE } from './harness/chance.ts';
import { createFleet } from './harness/fleet.ts';
import { answeredIds } from './harness/ledger.ts';
import { pressWithoutLimit } from './harness/press-without-limit.ts';
import { googleIsRight, hunterIsRight, searchbugIsRight } from './harness/rules.ts';
import { asked, buildSearch, businessesOf, pressSearch, type Search } from './harness/searches.ts';
import { type Person, type Site, startSite } from './harness/site.ts';
import { buildWork, press } from './harness/work.ts';

/** The second list of a kind shares two in five of its subjects. */
const SECOND = Math.round(SIZE * 0.6);
const LONGEST_DELAY_MS = 200;
/** Before a kill, from when something moves. */
const LONGEST_PAUSE_MS = FULL ? 1_000 : 500;
/** With fewer open runs on lists than these, someone comes with more work. */
const BUSY = 4;
/** Until something moves, on a machine that has much else to do. */
const PATIENCE_MS = FULL ? 180_000 : 60_000;
/** Buttons that are pressed at a time once the kills are over: more would only wait for the one process that is asked. */
const AT_ONCE = 8;
/** Circles of the searches for one trade: the same twice, and a part of it, whose places are known then. In miles. */
const CIRCLES = [50, 50, 25];

const ON_LISTS = ['enrichment', 'compliance'] as const;

type List = { person: Person; kind: (typeof ON_LISTS)[number]; id: string };

let site: Site;
beforeAll(async () => {
  site = await startSite(disturbing(LONGEST_DELAY_MS));
});
afterAll(() => site.stop());

test(`${KILLS} times kill -9: nothing is lost, nothing is paid twice, nothing is stuck, and the ledger is what was charged`, {
  timeout: KILLS * 30_000 + (FULL ? 2_000_000 : 120_000),
}, async () => {
  const random = chanceOf('kills');
  pressWithoutLimit();
  const { db, meter } = site;
  const fleet = createFleet(site);
  const people: Person[] = [];
  const lists: List[] = [];
  const searches: Search[] = [];
  const answered = new Set<string>();
  let looked: Date | undefined;
  const killed = { one: 0, all: 0, postgres: 0, everything: 0 };

  for (let kill = 0; kill < KILLS; kill += 1) {
    await fleet.resize(kill < KILLS / 2 ? 1 : 2);
    if ((await openRuns(site, ON_LISTS)) < BUSY)
      await throughOutage(async () => lists.push(...(await moreWork(site, people))));
    const { calls } = meter.totals();
    searches.push(...(await throughOutage(() => moreSearches(site, random.pick(people), kill))));
    await vi.waitFor(() => expect(meter.totals().calls).toBeGreaterThan(calls), { timeout: PATIENCE_MS, interval: 10 });
    await sleep(random.below(LONGEST_PAUSE_MS));
    const looking = new Date();
    for (const id of await answeredIds(db, looked)) answered.add(id);
    looked = looking;
    const victim = random.pick(['one', 'one', 'all', 'postgres', 'everything'] as const);
    killed[victim] += 1;
    await Promise.all([
      victim === 'postgres' || victim === 'everything' ? site.killPostgres() : undefined,
      victim === 'postgres' ? undefined : fleet.kill(victim === 'one' ? 0 : 'all'),
    ]);
    if (FULL && (kill + 1) % 10 === 0) console.log(`${kill + 1} kills, ${meter.totals().calls} requests`);
  }
  await vi.waitFor(async () => expect(await openRuns(site)).toBe(0), {
    timeout: FULL ? 1_800_000 : 90_000,
    interval: 200,
  });

  const runs = await db.selectFrom('app.runs').select(['kind', 'state', 'error_code', 'error_message']).execute();
  // A search whose first answer was lost has nothing to go on with.
  const lostTheirPlace = runs.filter((run) => run.kind === 'search' && run.error_code === 'PROVIDER_FAILED');
  expect(runs.filter((run) => run.state !== 'completed' && !lostTheirPlace.includes(run))).toEqual([]);
  const still = new Set(await answeredIds(db));
  expect([...answered].filter((id) => !still.has(id))).toEqual([]);
  expect(await verdictsNotStored(site)).toBe(0);
  expect(await placesNotKnown(site)).toBe(0);
  expect(
    await db.selectFrom('app.paid_calls').select('id').where('state', 'in', ['planned', 'sent']).execute(),
  ).toEqual([]);

  // Anyone who asks again does not ask about what was lost, where a number is charged every time.
  const { calls: before } = meter.totals('searchbug');
  await forEachAtOnce(lists, AT_ONCE, ({ person, kind, id }) => press(person, kind, id));
  expect(meter.totals('searchbug').calls).toBe(before);
  // Retry buys the pages that were lost, and then each list is what it is without a kill.
  await forEachAtOnce(searches, AT_ONCE, pressSearch);
  await areWhole(site, searches);
  const lost = { numbers: 0, pages: 0 };
  for (const person of people) {
    await hunterIsRight(site, person, SIZE + SECOND);
    lost.numbers += await searchbugIsRight(site, person, SIZE + SECOND);
    lost.pages += await googleIsRight(site, person);
  }
  // Neither fork nor gap, whatever was killed in the middle of a commit.
  const chain = await verifyChain(db, await evidenceVault(db, createVault([ENCRYPTION_KEY])));
  expect(chain).toMatchObject({ ok: true });
  expect(chain.ok && chain.entries).toBeGreaterThan(still.size / 2);
  console.log(
    `kills: lists of ${SIZE}; ${JSON.stringify(killed)}; ${fleet.starts} starts, ${runs.length} runs, ` +
      `${lostTheirPlace.length} searches that had to be started again, ${meter.totals().calls} requests, ${still.size} answers, ` +
      `lost: ${JSON.stringify(lost)}, $${(meter.totals().micros / 1_000_000).toFixed(2)} charged and booked`,
  );
});

/** Someone new presses four buttons. */
async function moreWork(site: Site, people: Person[]): Promise<List[]> {
  const person = await site.person();
  const lists: List[] = [];
  for (const kind of ON_LISTS)
    for (const from of [0, SECOND])
      lists.push({ person, kind, id: await buildWork(site, person, kind, { from, count: SIZE }) });
  people.push(person);
  const before = await countRuns(site, RUN_STATES, ON_LISTS);
  // How it went is read from the database: the answer may fall to a kill.
  for (const { kind, id } of lists) press(person, kind, id).catch(() => {});
  await vi.waitFor(async () => expect(await countRuns(site, RUN_STATES, ON_LISTS)).toBe(before + lists.length), {
    timeout: PATIENCE_MS,
    interval: 50,
  });
  return lists;
}

/** Someone searches for a trade, in several circles at the same time. */
async function moreSearches(site: Site, person: Person, trade: number): Promise<Search[]> {
  const searches = await Promise.all(CIRCLES.map((miles) => buildSearch(site, person, asked(trade, miles))));
  for (const search of searches) pressSearch(search).catch(() => {});
  return searches;
}

/** Each search has found what someone finds whom no kill has met, each business once. */
async function areWhole(site: Site, searches: readonly Search[]): Promise<void> {
  const calm = await site.person();
  const byCircle = Map.groupBy(searches, ({ asked }) => JSON.stringify(asked));
  await forEachAtOnce([...byCircle.values()], AT_ONCE, async (same) => {
    const [first] = same;
    if (!first) return;
    const whole = await buildSearch(site, calm, first.asked);
    await pressSearch(whole);
    const expected = await businessesOf(site, whole.listId);
    expect(expected.length).toBeGreaterThan(0);
    for (const { listId } of same) expect(await businessesOf(site, listId)).toEqual(expected);
  });
}

const openRuns = (site: Site, kinds?: readonly string[]) => countRuns(site, ['queued', 'running'], kinds);

function countRuns({ db }: Site, states: readonly string[], kinds: readonly string[] = RUN_KINDS): Promise<number> {
  const counting = db
    .selectFrom('app.runs')
    .select((eb) => eb.fn.countAll<number>().as('runs'))
    .where('state', 'in', states)
    .where('kind', 'in', kinds);
  return throughOutage(async () => Number((await counting.executeTakeFirstOrThrow()).runs));
}

/** Numbers of leads that have an answer, but no verdict. */
async function verdictsNotStored({ db }: Site): Promise<number> {
  const { rows } = await sql<{ missing: number }>`
    select count(*)::integer as missing
    from public.leads as lead join public.lists as list on list.id = lead.list_id
      join app.answers as answer on answer.user_id = list.user_id and answer.provider = 'searchbug'
        and answer.subject = substr(regexp_replace(lead.phone, '\\D', '', 'g'), 2)
    where lead.place_id is null and lead.compliance_call_id is distinct from answer.paid_call_id
  `.execute(db);
  return rows[0]?.missing ?? 0;
}

/** Places of pages that were answered, but are not known by their id. */
async function placesNotKnown({ db }: Site): Promise<number> {
  const { rows } = await sql<{ missing: number }>`
    select count(*)::integer as missing
    from app.answers as page cross join jsonb_array_elements(page.answer -> 'places') as place
    where page.operation = 'search_page' and not exists (
      select from app.answers as known
      where known.user_id = page.user_id and known.operation = 'place' and known.subject = place ->> 'id')
  `.execute(db);
  return rows[0]?.missing ?? 0;
}
