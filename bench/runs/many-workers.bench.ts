import { rmSync } from 'node:fs';
import { sql } from 'kysely';
import { connect } from '#db/connection/client.ts';
import { startPostgres } from '#db/embedded/start-postgres.ts';
import { temporaryFolder } from '#test/databases/postgres.ts';
import { buildListOf } from '#test/lists.ts';
import { startCluster } from '#test/many/cluster.ts';
import { backendPids, processorTimes, residentBytes, usedBetween } from '../harness/process-figures.ts';
import { type Figure, report } from '../harness/report.ts';
import { type Session, signIn } from '../harness/sign-in.ts';
import { inMs, timed } from '../harness/statistics.ts';

const PEOPLE = 24;
const DOMAINS_OF_EACH = 100;
const LATENCY_MS = 200;
/** What a process has counted of this bench, as Prometheus reads it. */
const CALLS = /^fairlead_paid_calls_total\{.*\} (\d+)$/gm;
const REQUESTS = /^fairlead_http_request_duration_seconds_count\{.*\/api\/enrich\/emails.*\} (\d+)$/gm;
/** Runs of many people at once, which two workers divide among themselves: what a call takes of each of them, and of PostgreSQL. */
const dataDir = temporaryFolder();
const postgres = await startPostgres({ dataDir });
const databaseUrl = await postgres.database('fairlead');
const cluster = await startCluster({ databaseUrl, web: 2, workers: 2, latencyMs: LATENCY_MS });
const { db } = connect(databaseUrl);
try {
  const admin = await signIn(cluster.web[0]?.url ?? '', 'bench@fairlead.example');
  const people: Session[] = [];
  for (let number = 0; number < PEOPLE; number += 1) people.push(await person(admin, number));
  const lists = await Promise.all(people.map(({ userId }, number) => listOf(userId, `many-${number}`)));
  const members = [...cluster.web, ...cluster.workers];
  const pids = members.map(({ process: { child } }) => child.pid ?? 0);
  const look = async () => [...pids.map((pid) => processorTimes([pid])), processorTimes(await backendPids(db))];
  const before = await look();
  const took = await timed(() =>
    Promise.all(
      people.map((one, number) => one.post('/api/enrich/emails', { list_id: lists[number], steps: ['hunter'] })),
    ),
  );
  const after = await look();
  // Connections that were made meanwhile count from nothing.
  const used = after.map((times, index) =>
    usedBetween(new Map([...times].map(([pid]) => [pid, before[index]?.get(pid) ?? 0])), times),
  );
  const [web1 = 0, web2 = 0, worker1 = 0, worker2 = 0, database = 0] = used;
  const calls = PEOPLE * DOMAINS_OF_EACH;
  const busy = (ms: number) => `busy ${((ms / took) * 100).toFixed(0)} % of a core`;
  const perCall = (name: string, ms: number): Figure => ({
    name: `processor time of a call, ${name}`,
    value: ms / calls,
    unit: 'ms',
    measured: busy(ms),
  });
  const perProcess = members.map(async ({ role, metrics }, index): Promise<Figure> => {
    const ms = used[index] ?? 0;
    const name = `${role} ${(index % 2) + 1}`;
    const alone = `${busy(ms)}, ${(residentBytes(pids[index] ?? 0) / 1_000_000).toFixed(0)} MB`;
    if (role === 'web') {
      const measured = `${await counted(metrics, REQUESTS)} enrichments waited for, ${alone}`;
      return { name: `processor time of a call, ${name}`, value: ms / calls, unit: 'ms', measured };
    }
    const own = await counted(metrics, CALLS);
    const measured = `${own} calls, ${(ms / own).toFixed(1)} ms of processor time each, ${alone}`;
    return { name: `calls a second, ${name}`, value: (own / took) * 1_000, unit: '/s', measured };
  });
  report([
    {
      name: 'the busier of two workers, against the other',
      value: Math.max(worker1, worker2) / Math.min(worker1, worker2),
      unit: '×',
      measured: inMs(Math.max(worker1, worker2)),
      against: inMs(Math.min(worker1, worker2)),
    },
    {
      name: `calls a second, ${PEOPLE} runs of ${PEOPLE} people`,
      value: (calls / took) * 1_000,
      unit: '/s',
      measured: inMs(took),
    },
    perCall('both web processes', web1 + web2),
    perCall('both workers', worker1 + worker2),
    perCall('PostgreSQL', database),
    ...(await Promise.all(perProcess)),
    {
      name: 'memory of the larger worker',
      value:
        Math.max(...members.flatMap(({ role }, at) => (role === 'worker' ? residentBytes(pids[at] ?? 0) : []))) /
        1_000_000,
      unit: 'MB',
      limit: ['≤', 400],
    },
  ]);
} finally {
  await db.destroy();
  await cluster.stop();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

/** Someone who was invited, with a Hunter key of their own, which makes ten calls a second. */
async function person(admin: Session, number: number): Promise<Session> {
  const email = `many-${number}@people.example`;
  await sql`delete from app.rate_limits`.execute(db);
  await admin.post('/api/admin/users/invite', { email, role: 'user' });
  const session = await signIn(cluster.web[number % 2]?.url ?? '', email);
  await session.post('/api/keys/test', { provider: 'hunter_io', apiKey: `bench-many-${number}`, save: true });
  return session;
}

function listOf(userId: string, name: string): Promise<string> {
  const leads = Array.from({ length: DOMAINS_OF_EACH }, (_, index) => ({
    website: `https://${name}-${index}.example/`,
  }));
  return buildListOf(db, userId, leads, { sandbox: false });
}

async function counted(metrics: string, lines: RegExp): Promise<number> {
  const text = await (await fetch(metrics)).text();
  return [...text.matchAll(lines)].reduce((sum, [, count]) => sum + Number(count), 0);
}
