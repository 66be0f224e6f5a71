import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { checkPartition } from '#area/partition/check-partition.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { coverageEndpoint } from '#contract/work/search/coverage.ts';
import { searchAreaEndpoint } from '#contract/work/search/surveys.ts';
import { forEachAtOnce } from '#server/lib/for-each-at-once.ts';
import { throughOutage } from '#server/lib/through-outage.ts';
import { buildList } from '#test/lists.ts';
import { chanceOf, disturbing, FULL, KILLS } from './harness/chance.ts';
import { createFleet } from './harness/fleet.ts';
import { callsOf, chargedTo, settle } from './harness/ledger.ts';
import { pressWithoutLimit } from './harness/press-without-limit.ts';
import { type Person, type Site, startSite } from './harness/site.ts';

/** Places of each city. */
const PLACES = 400;
const LONGEST_DELAY_MS = 100;
/** Before a kill, from when something moves. */
const LONGEST_PAUSE_MS = 800;
/** With fewer searches under way than these, someone begins another. */
const BUSY = 2;
/** How often someone presses Retry, which buys the pages that were lost, until a list is whole. */
const RETRIES = 5;

type Search = { person: Person; listId: string };
type Request = Omit<BodyOf<typeof searchAreaEndpoint>, 'list_id'>;

const CITY: Request = {
  maxResults: 'all',
  query: 'dentist',
  area: { kind: 'circle', center: { latitude: 38.5, longitude: -98.5 } },
  radius: 15_000,
};

let site: Site;
beforeAll(async () => {
  site = await startSite(disturbing(LONGEST_DELAY_MS));
});
afterAll(() => site.stop());

test(`${KILLS} times kill -9 during surveys and paid pages: no page is paid twice, none is lost, and the certificate holds`, {
  timeout: KILLS * 30_000 + 300_000,
}, async () => {
  const random = chanceOf('area kills');
  pressWithoutLimit();
  const fleet = createFleet(site);
  const searches: Search[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    await fleet.resize(kill < KILLS / 2 ? 1 : 2);
    if ((await throughOutage(countOpen)) < BUSY) searches.push(await throughOutage(begin));
    const { calls } = site.meter.totals('google');
    await vi.waitFor(() => expect(site.meter.totals('google').calls).toBeGreaterThan(calls), {
      timeout: FULL ? 180_000 : 60_000,
      interval: 10,
    });
    await sleep(random.below(LONGEST_PAUSE_MS));
    const victim = random.pick(['one', 'one', 'all', 'postgres', 'everything'] as const);
    await Promise.all([
      victim === 'postgres' || victim === 'everything' ? site.killPostgres() : undefined,
      victim === 'postgres' ? undefined : fleet.kill(victim === 'one' ? 0 : 'all'),
    ]);
  }
  await untilIdle();
  await forEachAtOnce(searches, 4, finish);

  const lost = { pages: 0, boughtAgain: 0 };
  for (const { person, listId } of searches) {
    await isWhole(person, listId);
    const calls = await callsOf(site.db, person, 'google_places');
    for (const same of Map.groupBy(calls, ({ subject }) => subject).values()) {
      const [answered, uncertain] = ['answered', 'uncertain'].map((state) => same.filter((one) => one.state === state));
      expect(answered?.length).toBeLessThanOrEqual(1);
      lost.pages += uncertain?.length ?? 0;
      lost.boughtAgain += answered?.length && uncertain?.length ? 1 : 0;
    }
    await isBookedAsCharged(person);
  }
  console.log(`area kills: ${searches.length} searches, ${fleet.starts} starts, ${JSON.stringify(lost)}`);
});

async function begin(): Promise<Search> {
  const person = await site.person();
  await person.connect('google_places', `chaos-city-${PLACES}-clustered-${person.meterKey.slice(-4)}`);
  const listId = await buildList(site.db, person.id, { sandbox: false });
  await person.call(searchAreaEndpoint, { ...CITY, list_id: listId });
  return { person, listId };
}

async function countOpen(): Promise<number> {
  const { open } = await site.db
    .selectFrom('app.runs')
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .where('state', 'in', ['queued', 'running'])
    .executeTakeFirstOrThrow();
  return Number(open);
}

const untilIdle = () =>
  vi.waitFor(async () => expect(await throughOutage(countOpen)).toBe(0), { timeout: 240_000, interval: 200 });

/** Presses Retry until no page is missing. */
async function finish({ person, listId }: Search): Promise<void> {
  for (let attempt = 0; attempt < RETRIES; attempt += 1) {
    if ((await countLeads(listId)) === PLACES) return;
    await person.call(searchAreaEndpoint, { ...CITY, list_id: listId });
    await untilIdle();
  }
}

async function countLeads(listId: string): Promise<number> {
  const { leads } = await site.db
    .selectFrom('leads')
    .select((eb) => eb.fn.countAll<number>().as('leads'))
    .where('list_id', '=', listId)
    .executeTakeFirstOrThrow();
  return Number(leads);
}

async function isWhole(person: Person, listId: string): Promise<void> {
  expect(await countLeads(listId)).toBe(PLACES);
  const { area, leaves, outside, partition, uniqueIds } = await person.call(coverageEndpoint, undefined, { listId });
  expect(uniqueIds).toBe(PLACES);
  expect(partition).toEqual({ exact: true, why: null });
  expect(checkPartition(area.frames, [...leaves, ...outside])).toMatchObject({ kind: 'exact' });
  expect(new Set(leaves.flatMap(({ ids }) => ids)).size).toBe(PLACES);
}

/** What was charged is what is booked, but for pages whose answer was lost and that were not charged. */
async function isBookedAsCharged(person: Person): Promise<void> {
  const calls = await callsOf(site.db, person, 'google_places');
  const lost = calls.filter(({ state }) => state === 'uncertain');
  const answered = calls.filter(({ state }) => state === 'answered');
  const sum = (some: typeof calls) => some.reduce((total, { cost_micros }) => total + cost_micros, 0);
  const charged = chargedTo(site, person, 'google_places');
  expect(charged).toBeGreaterThanOrEqual(sum(answered));
  expect(charged).toBeLessThanOrEqual(sum(answered) + sum(lost));
  let left = charged - sum(answered);
  const wasCharged = new Set(
    lost.filter(({ cost_micros }) => {
      if (left < cost_micros) return false;
      left -= cost_micros;
      return true;
    }),
  );
  await settle(site, person, 'google_places', lost, (call) => wasCharged.has(call));
}
