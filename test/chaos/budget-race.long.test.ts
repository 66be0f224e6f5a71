import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { setBudgetsEndpoint } from '#contract/money/budgets.ts';
import { enrichEmailsEndpoint } from '#contract/work/enrichment.ts';
import { throughOutage } from '#server/lib/through-outage.ts';
import { Refusal } from '#test/product.ts';
import { chanceOf, disturbing, FULL, KILLS } from './harness/chance.ts';
import { createFleet } from './harness/fleet.ts';
import { bookedFor, chargedTo } from './harness/ledger.ts';
import { pressWithoutLimit } from './harness/press-without-limit.ts';
import { type Person, type Site, startSite } from './harness/site.ts';
import { buildWork } from './harness/work.ts';

const RUNS = FULL ? 200 : 40;
/** What each run looks up; all together would cost several times the budget. */
const DOMAINS = 4;
const BUDGET_MICROS = FULL ? 10_000_000 : 2_000_000;
const CRASHES = FULL ? Math.ceil(KILLS / 10) : 2;
/** A reservation of a run that died is free after this long. */
const FREED_WITHIN_MS = 60_000;

let site: Site;
beforeAll(async () => {
  site = await startSite(disturbing(FULL ? 400 : 150, 0.1));
});
afterAll(() => site.stop());

test(`${RUNS} runs at once against a budget, with faults and crashes: never a cent more than it allows`, {
  timeout: FULL ? 900_000 : 180_000,
}, async () => {
  const random = chanceOf('budget race');
  pressWithoutLimit();
  const fleet = createFleet(site);
  const person = await site.person();
  const limits = { run: null, month: BUDGET_MICROS, google_places: null, hunter_io: null, searchbug: null };
  await person.call(setBudgetsEndpoint, { limits });
  const lists: string[] = [];
  for (let run = 0; run < RUNS; run += 1)
    lists.push(await buildWork(site, person, 'enrichment', { from: run * DOMAINS, count: DOMAINS }));

  let most = 0;
  let over = 0;
  const racing = new AbortController();
  let watched = true;
  const watching = (async () => {
    while (watched) {
      const money = await moneyOf(site, person);
      most = Math.max(most, money);
      if (money > BUDGET_MICROS || chargedTo(site, person, 'hunter_io') > BUDGET_MICROS) over += 1;
      await sleep(50);
    }
  })();
  const refused = new Set<string>();
  const pressing = lists.map((list, index) => {
    const { call } = (index % 2 ? site.office : site.branch).as(person);
    // Some want less than their list can cost, and meet their bound.
    const max_cost = random.chance(0.3) ? { max_cost: 0.1 } : {};
    return pressUntilDone(
      () => call(enrichEmailsEndpoint, { list_id: list, ...max_cost, steps: ['hunter'] }),
      racing.signal,
      () => refused.add(list),
    );
  });
  // All are admitted or refused before anything is spent; then each end lets others in.
  await vi.waitFor(() => expect(refused.size).toBeGreaterThan(0), { timeout: 60_000, interval: 20 });
  await fleet.resize(2);
  await fleet.ready();
  const freed: Promise<number>[] = [];
  for (let crash = 0; crash < CRASHES; crash += 1) {
    await sleep(500 + random.below(2_500));
    const held = await openRuns(site);
    const crashed = Date.now();
    const restarted = fleet.kill(random.pick([0, 1, 'all'] as const));
    freed.push(untilFreed(site, held, crashed));
    await restarted;
    await fleet.ready();
  }
  const nearlySpent = () => expect(chargedTo(site, person, 'hunter_io')).toBeGreaterThan(BUDGET_MICROS * 0.8);
  await vi.waitFor(nearlySpent, { timeout: FULL ? 300_000 : 90_000, interval: 100 });
  // The last cents are what everyone runs for.
  await sleep(2_000);
  racing.abort();
  await Promise.all(pressing);
  watched = false;
  await watching;
  const slowest = Math.max(...(await Promise.all(freed)));

  expect(over).toBe(0);
  expect(slowest).toBeLessThanOrEqual(FREED_WITHIN_MS);
  const charged = chargedTo(site, person, 'hunter_io');
  const booked = await bookedFor(site.db, person, 'hunter_io');
  expect(booked.sums).toBe(booked.rows);
  expect(charged).toBeLessThanOrEqual(booked.rows);
  expect(booked.rows).toBeLessThanOrEqual(BUDGET_MICROS);
  expect(await moneyOf(site, person)).toBe(booked.rows);
  console.log(
    `budget race: $${inDollars(charged)} charged, $${inDollars(booked.rows)} booked, at most $${inDollars(most)} with what was held, ` +
      `of $${inDollars(BUDGET_MICROS)}; ${fleet.starts} starts, ${refused.size} lists were refused, ` +
      `what a crash left held was free after ${(slowest / 1_000).toFixed(0)} s`,
  );
});

/** Presses again, as people do, while it is refused or fails. */
async function pressUntilDone(press: () => Promise<unknown>, stop: AbortSignal, refused: () => void): Promise<void> {
  while (!stop.aborted) {
    try {
      await press();
      return;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.code === 'BOUND_REACHED') return;
      if (error.code === 'BUDGET_EXCEEDED') refused();
    }
    await sleep(500);
  }
}

/** Spent and held this month, in micro-dollars: what the budget lets no one exceed. */
async function moneyOf({ db }: Site, { id }: Person): Promise<number> {
  const { rows } = await throughOutage(() =>
    sql<{ money: number }>`
      select coalesce(sum(spent_micros + reserved_micros), 0)::bigint as money
      from app.money_of_month(${id}::uuid, date_trunc('month', now() at time zone 'UTC')::date)
    `.execute(db),
  );
  return rows[0]?.money ?? 0;
}

/** Waits until runs that were open at a crash have ended, and hold nothing more. Returns how long that took, in ms; at most twice the limit. */
async function untilFreed(site: Site, held: ReadonlySet<string>, crashed: number): Promise<number> {
  const isOver = () => Date.now() - crashed > 2 * FREED_WITHIN_MS;
  const areOpen = async () => [...(await openRuns(site))].some((id) => held.has(id));
  while (!isOver() && (await areOpen())) await sleep(100);
  return Date.now() - crashed;
}

async function openRuns({ db }: Site): Promise<Set<string>> {
  const open = await throughOutage(() =>
    db.selectFrom('app.runs').select('id').where('state', 'in', ['queued', 'running']).execute(),
  );
  return new Set(open.map((run) => run.id));
}

const inDollars = (micros: number): string => (micros / 1_000_000).toFixed(2);
