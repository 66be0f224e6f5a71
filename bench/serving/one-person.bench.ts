import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { worstRequests } from '#test/attack/harness/worst-requests.ts';
import { buildList } from '#test/lists.ts';
import type { AttackerData } from '../harness/attacker.ts';
import { startFairlead } from '../harness/fairlead.ts';
import { createGetter } from '../harness/http-get.ts';
import { report } from '../harness/report.ts';
import { type Session, signIn } from '../harness/sign-in.ts';
import { inMs, percentile, timed } from '../harness/statistics.ts';

const ROUNDS = 3;
const SECONDS = 15;
/** The product API takes 900 reads a minute of one person. */
const READ_EVERY_MS = 80;
const LISTS = 900;
const LEADS_OF_LIST = 30;
const LEADS_OF_LONG_LIST = 100_000;

const fairlead = await startFairlead();
const { url, db, session } = fairlead;
const { get, close } = createGetter(session.headers);
const probe = createGetter({});
try {
  const { mallory, longList } = await attackerWithLists();
  const readKeys = () => get(`${url}/api/keys`);
  await readFor(3, readKeys);
  const idle: number[] = [];
  const during: number[] = [];
  const ready: number[] = [];
  const statuses = new Map<number, number>();
  // In turns, so that what else the machine does falls on both.
  for (let round = 0; round < ROUNDS; round += 1) {
    idle.push(...(await readFor(SECONDS, readKeys)));
    const attack = startAttack(mallory, longList);
    await pause(1_000);
    // A getter rejects for anything but 200.
    const readiness = readFor(SECONDS, () => probe.get(`${url}/readyz`));
    during.push(...(await readFor(SECONDS, readKeys)));
    ready.push(...(await readiness));
    for (const [status, times] of await attack.stop()) statuses.set(status, (statuses.get(status) ?? 0) + times);
    await pause(2_000);
  }
  const answered = [...statuses].map(([status, times]) => `${times} × ${status}`).join(', ');
  const [before, p99] = [percentile(idle, 99), percentile(during, 99)];
  report([
    {
      name: 'GET /api/keys while another person sends the worst requests, 50 at a time, p99',
      value: p99 / before,
      unit: '×',
      limit: ['≤', 3],
      measured: inMs(p99),
      against: `idle, ${inMs(before)}; answered: ${answered}`,
    },
    { name: '/readyz meanwhile, always 200, p99', value: percentile(ready, 99), unit: 'ms' },
  ]);
} finally {
  close();
  probe.close();
  await fairlead.stop();
}

/** Someone with as many lists and leads as one person has at most, but for some lists. */
async function attackerWithLists(): Promise<{ mallory: Session; longList: string }> {
  const email = 'mallory@people.example';
  await session.post('/api/admin/users/invite', { email, role: 'user' });
  const mallory = await signIn(url, email);
  await sql`
    with made as (
      insert into lists (user_id, name, status, sandbox, search_params)
      select ${mallory.userId}::uuid, repeat('a', 250), 'completed', false, jsonb_build_object('x', repeat('a', 3000))
      from generate_series(1, ${LISTS}) returning id
    )
    insert into leads (list_id, position, business_name)
    select id, n, repeat('a', 100) || n from made, generate_series(1, ${LEADS_OF_LIST}) as n`.execute(db);
  const longList = await buildList(db, mallory.userId, { name: 'Long', status: 'completed' });
  await sql`
    insert into leads (list_id, position, business_name, phone, address)
    select ${longList}::uuid, n, 'Invented ' || n, '+1217' || (2000000 + n), n || ' Main Street, Springfield, IL 62701, USA'
    from generate_series(1, ${LEADS_OF_LONG_LIST}) as n`.execute(db);
  await sql`analyze lists, leads`.execute(db);
  return { mallory, longList };
}

function startAttack({ userId, headers }: Session, longList: string): { stop(): Promise<Map<number, number>> } {
  const workerData: AttackerData = { url, headers, attacks: worstRequests(userId, longList), count: 200, atOnce: 50 };
  const worker = new Worker(new URL('../harness/attacker.ts', import.meta.url), { workerData });
  return {
    async stop() {
      const told = once(worker, 'message');
      worker.postMessage('stop');
      const [statuses] = (await told) as [Map<number, number>];
      await worker.terminate();
      return statuses;
    },
  };
}

/** The times in ms of reads that begin every few ms, for so many seconds, one after the other. */
async function readFor(seconds: number, read: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (const until = performance.now() + seconds * 1000; performance.now() < until; await pause(READ_EVERY_MS))
    times.push(await timed(read));
  return times;
}
