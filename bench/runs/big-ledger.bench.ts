import { sql } from 'kysely';
import { buildListOf } from '#test/lists.ts';
import { fullLeads } from '#test/seed/big.ts';
import { type Fairlead, startFairlead } from '../harness/fairlead.ts';
import { fillLedger } from '../harness/fill-ledger.ts';
import { createGetter } from '../harness/http-get.ts';
import { type Figure, report } from '../harness/report.ts';
import { inMs, median, timed } from '../harness/statistics.ts';

/** A tenth of the size that is promised; all of it with BENCH_LEDGER_CALLS=1000000. */
const CALLS = Number(process.env.BENCH_LEDGER_CALLS ?? 100_000);
const RUNS = CALLS / 100;
const LISTS = 20;
const LEADS = 60;
const RUNS_OF_A_LIST = 5;
const ROUNDS = 60;
const WARM_UP_ROUNDS = 15;
const LIMIT = 1.5;

const fairleads = [await startFairlead()];
try {
  fairleads.push(await startFairlead());
  report(await measure());
} finally {
  for (const one of fairleads) await one.stop();
}

type Page = 'dashboard' | 'usage' | 'list';

/** What the pages ask for, of a ledger that holds the work on the lists alone, and of one with a year's calls besides, in turns. */
async function measure(): Promise<Figure[]> {
  const sites = await Promise.all(fairleads.map(async (one) => ({ ...one, listIds: await seedLists(one) })));
  const [, full] = sites;
  if (!full) throw new Error('There is no second database.');
  const { userId } = full.session;
  const filled = await timed(() => fillLedger(full.db, { userId, runs: RUNS, calls: CALLS, days: 365 }));
  await requireEqualSums(full);
  const readers = sites.map((site) => ({ site, ...createGetter(site.session.headers) }));
  const figures: Figure[] = [{ name: `adding ${CALLS} calls to the ledger`, value: filled / 1_000, unit: 's' }];
  for (const page of ['dashboard', 'usage', 'list'] as const) {
    const times = readers.map((): number[] => []);
    for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1)
      for (const [index, { site, get }] of readers.entries()) {
        const paths = pathsOf(page, site.listIds[0] ?? '');
        const ms = await timed(() => Promise.all(paths.map((path) => get(`${site.url}${path}`))));
        if (round >= 0) times[index]?.push(ms);
      }
    const [few, many] = times.map(median) as [number, number];
    figures.push({
      name: `the calls of the ${page} page, ${RUNS} runs and ${CALLS} calls`,
      value: many / few,
      unit: '×',
      limit: ['≤', LIMIT],
      measured: inMs(many),
      against: `an almost empty ledger, ${inMs(few)}`,
    });
  }
  for (const { close } of readers) close();
  return figures;
}

function pathsOf(page: Page, listId: string): string[] {
  const lists = '/rest/v1/lists?select=*&order=created_at.desc';
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const period = new URLSearchParams({ from: day(29), to: day(0) });
  switch (page) {
    case 'dashboard':
      return [lists, '/api/runs', '/api/keys'];
    case 'usage':
      return [`/api/usage?${period}`, `/api/usage/runs?${period}`];
    case 'list':
      return [lists, `/rest/v1/leads?select=*&list_id=eq.${listId}&order=position.asc`, `/api/runs?list_id=${listId}`];
  }
}

/** Lists with their leads, and some runs on each within the last month. */
async function seedLists({ db, session: { userId } }: Fairlead): Promise<string[]> {
  const listIds: string[] = [];
  for (let list = 0; list < LISTS; list += 1)
    listIds.push(await buildListOf(db, userId, fullLeads(LEADS, new Date()), { sandbox: false }));
  const runs = LISTS * RUNS_OF_A_LIST;
  await fillLedger(db, { userId, runs, calls: runs * 100, days: 30, listIds });
  return listIds;
}

/** The sums must be those of the rows: a page that is fast and wrong is not measured. */
async function requireEqualSums({ db, url, session }: Fairlead): Promise<void> {
  const { rows } = await sql<{ day: string; calls: number; cost: number }>`
    select to_char(sent_at at time zone 'UTC', 'YYYY-MM-DD') as day, count(*) as calls, sum(cost_micros)::bigint as cost
    from app.paid_calls group by 1 order by random() limit 5
  `.execute(db);
  for (const { day, calls, cost } of rows) {
    const answer = await fetch(`${url}/api/usage?from=${day}&to=${day}`, { headers: session.headers });
    const { totals } = ((await answer.json()) as { data: { totals: { calls: number; costMicros: number } } }).data;
    if (totals.calls !== calls || totals.costMicros !== cost)
      throw new Error(`On ${day} the ledger holds ${calls} calls for ${cost}, and its sums ${JSON.stringify(totals)}.`);
  }
}
