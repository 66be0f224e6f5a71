import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { settleCalls } from '#contract/paid-calls.ts';
import { RUN_STATES } from '#contract/runs.ts';
import { chunks } from '#server/chunks.ts';
import { throughOutage } from '#server/through-outage.ts';
import { chanceOf, disturbing, FULL, KILLS } from './harness/chance.ts';
import { createFleet } from './harness/fleet.ts';
import { answeredIds, askedBy, bookedFor, callsOf, chargedTo } from './harness/ledger.ts';
import { type Person, type Site, startSite } from './harness/site.ts';
import { buildWork, press } from './harness/work.ts';

/** Subjects of one list. The second list of a kind shares two in five of them. */
const SIZE = FULL ? 10_000 : 250;
const SECOND = Math.round(SIZE * 0.6);
const LONGEST_DELAY_MS = FULL ? 200 : 400;
/** Before a kill, from when something moves. */
const LONGEST_PAUSE_MS = FULL ? 3_000 : 800;
/** With fewer open runs than these, somebody comes with more work. */
const BUSY = 4;
const NUMBER_MICROS = 20_000;

type List = { person: Person; kind: 'enrichment' | 'compliance'; id: string };

let site: Site;
beforeAll(async () => {
  site = await startSite(disturbing(LONGEST_DELAY_MS));
});
afterAll(() => site.stop());

test(`${KILLS} times kill -9: nothing is lost, nothing is paid twice, nothing is stuck, and the ledger is what was charged`, {
  timeout: KILLS * 15_000 + (FULL ? 2_000_000 : 120_000),
}, async () => {
  const random = chanceOf('kills');
  const { db, meter } = site;
  const fleet = createFleet(site);
  const people: Person[] = [];
  const lists: List[] = [];
  const answered = new Set<string>();
  let looked: Date | undefined;
  const killed = { one: 0, all: 0, postgres: 0, everything: 0 };

  for (let kill = 0; kill < KILLS; kill += 1) {
    await fleet.resize(kill < KILLS / 2 ? 1 : 2);
    if ((await openRuns(site)) < BUSY) await throughOutage(async () => lists.push(...(await moreWork(site, people))));
    const { calls } = meter.totals();
    await vi.waitFor(() => expect(meter.totals().calls).toBeGreaterThan(calls), { timeout: 60_000, interval: 10 });
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
  }
  await vi.waitFor(async () => expect(await openRuns(site)).toBe(0), {
    timeout: FULL ? 1_800_000 : 90_000,
    interval: 200,
  });

  const runs = await db.selectFrom('app.runs').select(['state', 'error_message']).execute();
  expect(runs.filter((run) => run.state !== 'completed')).toEqual([]);
  const still = new Set(await answeredIds(db));
  expect([...answered].filter((id) => !still.has(id))).toEqual([]);
  expect(await verdictsNotStored(site)).toBe(0);
  expect(
    await db.selectFrom('app.paid_calls').select('id').where('state', 'in', ['planned', 'sent']).execute(),
  ).toEqual([]);
  for (const person of people) await hunterIsRight(site, person);
  let lost = 0;
  for (const person of people) lost += await searchbugIsRight(site, person);

  // Whoever asks again does not ask about what was lost.
  const { calls: before } = meter.totals('searchbug');
  await Promise.all(lists.map(({ person, kind, id }) => press(person, kind, id)));
  expect(meter.totals('searchbug').calls).toBe(before);
  for (const person of people) await settle(site, person);
  console.log(
    `kills: ${JSON.stringify(killed)}; ${fleet.starts} starts, ${runs.length} runs, ${meter.totals().calls} requests, ` +
      `${still.size} answers, ${lost} lost answers, $${(meter.totals().micros / 1_000_000).toFixed(2)} charged`,
  );
});

/** Somebody new presses four buttons. */
async function moreWork(site: Site, people: Person[]): Promise<List[]> {
  const person = await site.person();
  const lists: List[] = [];
  for (const kind of ['enrichment', 'compliance'] as const)
    for (const from of [0, SECOND])
      lists.push({ person, kind, id: await buildWork(site, person, kind, { from, count: SIZE }) });
  people.push(person);
  const before = await allRuns(site);
  // How it went is read from the database: the answer may fall to a kill.
  for (const { kind, id } of lists) press(person, kind, id).catch(() => {});
  await vi.waitFor(async () => expect(await allRuns(site)).toBe(before + lists.length), {
    timeout: 20_000,
    interval: 50,
  });
  return lists;
}

const openRuns = (site: Site) => countRuns(site, ['queued', 'running']);
const allRuns = (site: Site) => countRuns(site, RUN_STATES);

function countRuns({ db }: Site, states: readonly string[]): Promise<number> {
  const counting = db
    .selectFrom('app.runs')
    .select((eb) => eb.fn.countAll<number>().as('runs'))
    .where('state', 'in', states);
  return throughOutage(async () => Number((await counting.executeTakeFirstOrThrow()).runs));
}

/** Numbers of leads that have an answer, but no verdict. */
async function verdictsNotStored({ db }: Site): Promise<number> {
  const { rows } = await sql<{ missing: number }>`
    select count(*)::integer as missing
    from public.leads as lead join public.lists as list on list.id = lead.list_id
      join app.answers as answer on answer.user_id = list.user_id and answer.provider = 'searchbug'
        and answer.subject = substr(regexp_replace(lead.phone, '\\D', '', 'g'), 2)
    where lead.compliance_call_id is distinct from answer.paid_call_id
  `.execute(db);
  return rows[0]?.missing ?? 0;
}

/** Hunter charges a domain once: every one is answered, whatever was lost on the way, and booked once. */
async function hunterIsRight(site: Site, person: Person): Promise<void> {
  const calls = await callsOf(site.db, person, 'hunter_io');
  const answered = calls.filter((call) => call.state === 'answered');
  expect(new Set(answered.map((call) => call.subject)).size).toBe(SIZE + SECOND);
  expect(answered).toHaveLength(SIZE + SECOND);
  const charged = chargedTo(site, person, 'hunter_io');
  expect(await bookedFor(site.db, person, 'hunter_io')).toEqual({ sums: charged, rows: charged });
}

/**
 * SearchBug charges a number every time: each was asked about once at the most, and is answered, or lost and booked. Answers how many
 * were lost.
 */
async function searchbugIsRight(site: Site, person: Person): Promise<number> {
  const calls = await callsOf(site.db, person, 'searchbug');
  const asked = askedBy(site, person, 'searchbug');
  expect([...asked].filter(([, times]) => times > 1)).toEqual([]);
  const kept = calls.filter((call) => call.state === 'answered' || call.state === 'uncertain');
  expect(new Set(kept.map((call) => call.subject)).size).toBe(SIZE + SECOND);
  expect(kept).toHaveLength(SIZE + SECOND);
  expect(kept.filter((call) => call.cost_micros !== NUMBER_MICROS)).toEqual([]);
  const uncertain = kept.filter((call) => call.state === 'uncertain');
  const notCharged = uncertain.filter((call) => !asked.has(call.subject)).length;
  const booked = chargedTo(site, person, 'searchbug') + notCharged * NUMBER_MICROS;
  expect(await bookedFor(site.db, person, 'searchbug')).toEqual({ sums: booked, rows: booked });
  return uncertain.length;
}

/** Somebody compares what was lost with the provider's statement. Then nothing is left that is not the same. */
async function settle(site: Site, person: Person): Promise<void> {
  const asked = askedBy(site, person, 'searchbug');
  const lost = (await callsOf(site.db, person, 'searchbug')).filter((call) => call.state === 'uncertain');
  for (const charged of [true, false]) {
    const ids = lost.filter((call) => asked.has(call.subject) === charged).map((call) => call.id);
    for (const call_ids of chunks(ids, 1_000)) await person.call(settleCalls, { call_ids, charged });
  }
  const charged = chargedTo(site, person, 'searchbug');
  expect(await bookedFor(site.db, person, 'searchbug')).toEqual({ sums: charged, rows: charged });
}
