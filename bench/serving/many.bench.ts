import { rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { sql } from 'kysely';
import { connect } from '#db/connection/client.ts';
import { startPostgres } from '#db/embedded/start-postgres.ts';
import { temporaryFolder } from '#test/databases/postgres.ts';
import { type Member, startCluster } from '#test/many/cluster.ts';
import { fill } from '../harness/fill.ts';
import { backendPids, processorTimes, residentBytes, usedBetween } from '../harness/process-figures.ts';
import { type Figure, report } from '../harness/report.ts';
import { type Session, signIn } from '../harness/sign-in.ts';
import { inMs, median, percentile, timed } from '../harness/statistics.ts';

const PEOPLE = 1_000;
const LISTS_OF_EACH = 10;
const LEADS_OF_EACH = 100;
const WARM_SECONDS = 2;
const SECONDS = 6;
const AT_ONCE = 16;
const LISTS_PAGE = 30;

/** Two web and two worker processes on one PostgreSQL with its usual settings: empty, and with a million leads of a thousand people. */
const dataDir = temporaryFolder();
const postgres = await startPostgres({ dataDir });
const databaseUrl = await postgres.database('fairlead');
const cluster = await startCluster({ databaseUrl, web: 2, workers: 2 });
const { db } = connect(databaseUrl);
const sockets = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
try {
  const session = await signIn(cluster.web[0]?.url ?? '', 'bench@fairlead.example');
  const own = await ownLists(session);
  await read(session, own, WARM_SECONDS);
  const empty = await read(session, own, SECONDS);
  const filled = await timed(() => fill(db, { people: PEOPLE, lists: LISTS_OF_EACH, leads: LEADS_OF_EACH }));
  await read(session, own, WARM_SECONDS);
  const full = await read(session, own, SECONDS);
  report([
    {
      name: 'reads, p50, a million leads against none',
      value: median(full.times) / median(empty.times),
      unit: '×',
      limit: ['≤', 1.5],
      measured: inMs(median(full.times)),
      against: inMs(median(empty.times)),
    },
    {
      name: 'reads a second, two web processes',
      value: full.rate,
      unit: '/s',
      measured: `p99 ${inMs(percentile(full.times, 99))}`,
    },
    ...full.processes,
    await sizeOf('leads', filled),
    await sizeOf('lists'),
  ]);
} finally {
  sockets.destroy();
  await db.destroy();
  await cluster.stop();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

/** Lists of someone, with the leads that a search brings. */
async function ownLists({ userId }: Session): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into public.lists (user_id, name, status, lead_count)
    select ${userId}, 'Plumbers in Springfield, IL', 'completed', 60 from generate_series(1, ${LISTS_PAGE})
    returning id`.execute(db);
  await sql`
    insert into public.leads (list_id, position, business_name, phone, website)
    select id, n, 'Harbour & Sons Plumbing No. ' || n, '+1 217-555-0100', 'https://www.harbour-plumbing-' || n || '.example/'
    from public.lists cross join generate_series(0, 59) as n where user_id = ${userId}`.execute(db);
  return rows.map(({ id }) => id);
}

type Reads = { times: number[]; rate: number; processes: Figure[] };

/** Dashboard and list page in turn, at all web processes in turn, as fast as they are answered. */
async function read(session: Session, lists: readonly string[], seconds: number): Promise<Reads> {
  const pids = cluster.web.map(({ process: { child } }) => child.pid ?? 0);
  const backends = await backendPids(db);
  const before = [...pids.map((pid) => processorTimes([pid])), processorTimes(backends)];
  const started = performance.now();
  const until = started + seconds * 1_000;
  const times: number[] = [];
  let turn = 0;
  const keepReading = async () => {
    while (performance.now() < until) {
      turn += 1;
      const member = cluster.web[turn % cluster.web.length] as Member;
      const list = lists[turn % lists.length];
      const path =
        turn % 4 < 2 ? 'lists?select=*&order=created_at.desc' : `leads?select=*&list_id=eq.${list}&order=position`;
      times.push(await timed(() => getOk(`${member.url}/rest/v1/${path}`, session)));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, keepReading));
  const wall = performance.now() - started;
  const after = [...pids.map((pid) => processorTimes([pid])), processorTimes(backends)];
  const used = before.map((times, index) => usedBetween(times, after[index] ?? new Map()));
  const names = [...pids.map((_, index) => `web ${index + 1}`), 'PostgreSQL'];
  const processes = names.map((name, index): Figure => {
    const share = index < pids.length ? times.length / pids.length : times.length;
    return {
      name: `processor time of a read, ${name}`,
      value: (used[index] ?? 0) / share,
      unit: 'ms',
      measured: [
        `${((share / wall) * 1_000).toFixed(0)} reads/s, busy ${(((used[index] ?? 0) / wall) * 100).toFixed(0)} % of a core`,
        ...pids.slice(index, index + 1).map((pid) => `${(residentBytes(pid) / 1_000_000).toFixed(0)} MB`),
      ].join(', '),
    };
  });
  return { times, rate: (times.length / wall) * 1_000, processes };
}

function getOk(url: string, { headers }: Session): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent: sockets, headers }, (response) => {
      response.resume().on('end', () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`${url} answered ${response.statusCode}.`));
      });
    }).on('error', reject);
  });
}

/** What a table takes on disk with its indexes, for each row. */
async function sizeOf(table: 'leads' | 'lists', filledInMs?: number): Promise<Figure> {
  const { rows } = await sql<{ rows: number; total: number; indexes: number }>`
    select reltuples::float8 as rows, pg_total_relation_size(oid)::float8 as total, pg_indexes_size(oid)::float8 as indexes
    from pg_class where oid = ${`public.${table}`}::regclass`.execute(db);
  const { rows: count = 1, total = 0, indexes = 0 } = rows[0] ?? {};
  return {
    name: `disk for one of ${count.toLocaleString('en')} ${table}`,
    value: total / count / 1_000,
    unit: 'kB',
    measured: `${(indexes / count / 1_000).toFixed(2)} kB of it indexes${filledInMs ? `; filled in ${(filledInMs / 1_000).toFixed(0)} s` : ''}`,
  };
}
