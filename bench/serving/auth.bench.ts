import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import { startFairlead } from '../harness/fairlead.ts';
import { type KeptConnection, keepConnection } from '../harness/kept-connection.ts';
import { backendPids, processorTimes, usedBetween } from '../harness/process-figures.ts';
import { report } from '../harness/report.ts';

const PEOPLE = 64;
const AT_ONCE = 32;
/** Until V8 has compiled what is run again and again, however long a busy machine takes for that. */
const WARM_REFRESHES = 4_000;
const SECONDS = 8;

/** Someone's session, as a client holds it: each refresh brings the token of the next. */
type Holder = { network: string; refreshToken: string };

/** Refreshes as fast as they go, of as many people as would each refresh once an hour: one process, PostgreSQL with its usual settings. */
const fairlead = await startFairlead({ env: { TRUST_PROXY: 'loopback' } });
const { db, url, pid, session } = fairlead;
const connections = Array.from({ length: AT_ONCE }, () =>
  keepConnection(`${url}/auth/v1/token?grant_type=refresh_token`),
);
try {
  const { rows } = await sql<{ fsync: string; commit: string }>`
    select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit`.execute(db);
  if (rows[0]?.fsync !== 'on' || rows[0].commit !== 'on') throw new Error('PostgreSQL does not keep what it says.');
  const holders = await openSessions(db);
  for (let warm = 0; warm < WARM_REFRESHES; ) warm += (await refreshFor(1, holders)).refreshes;
  const backends = await backendPids(db);
  const look = () => [[pid], backends, [process.pid]].map(processorTimes);
  const before = look();
  const { refreshes, seconds } = await refreshFor(SECONDS, holders);
  const after = look();
  const [node = 0, postgres = 0, client = 0] = after.map(
    (used, at) => usedBetween(before[at] ?? used, used) / refreshes,
  );
  report([
    {
      name: `token refreshes a second, ${AT_ONCE} at a time, one process`,
      value: refreshes / seconds,
      unit: '/s',
      limit: ['≥', 500],
      measured: `${refreshes} in ${seconds.toFixed(1)} s`,
    },
    {
      name: 'the same, if two cores had nothing else to do',
      value: 2_000 / (node + postgres),
      unit: '/s',
      measured: `${node.toFixed(2)} ms of processor time in Node and ${postgres.toFixed(2)} ms in PostgreSQL for each, and ${client.toFixed(2)} ms in the client`,
    },
  ]);
} finally {
  for (const connection of connections) connection.close();
  await fairlead.stop();
}

/** Sessions of as many people, each from a network of their own. */
async function openSessions(db: Db): Promise<Holder[]> {
  const holders: Holder[] = [];
  for (let person = 0; person < PEOPLE; person += 1) {
    const email = `refresher-${person}@people.example`;
    const refreshToken = randomBytes(32).toString('base64url');
    const { id } = await db.insertInto('auth.users').values({ email }).returning('id').executeTakeFirstOrThrow();
    await db.insertInto('app.profiles').values({ user_id: id, email }).execute();
    const own = await db.insertInto('auth.sessions').values({ user_id: id }).returning('id').executeTakeFirstOrThrow();
    const token_hash = createHash('sha256').update(refreshToken).digest();
    await db.insertInto('auth.refresh_tokens').values({ session_id: own.id, token_hash }).execute();
    holders.push({ network: `11.${person}.0.1`, refreshToken });
  }
  return holders;
}

/** Each holder refreshes again once they have been answered. */
async function refreshFor(
  seconds: number,
  holders: readonly Holder[],
): Promise<{ refreshes: number; seconds: number }> {
  const started = performance.now();
  const until = started + seconds * 1_000;
  let refreshes = 0;
  const keepRefreshing = async (connection: KeptConnection, at: number) => {
    const own = holders.filter((_, holder) => holder % AT_ONCE === at);
    while (performance.now() < until)
      for (const holder of own) {
        holder.refreshToken = await refresh(connection, holder);
        refreshes += 1;
      }
  };
  await Promise.all(connections.map(keepRefreshing));
  return { refreshes, seconds: (performance.now() - started) / 1_000 };
}

async function refresh(connection: KeptConnection, { network, refreshToken }: Holder): Promise<string> {
  const headers = { apikey: String(session.headers.apikey), 'x-forwarded-for': network };
  const answer = await connection.post(JSON.stringify({ refresh_token: refreshToken }), headers);
  const next = /"refresh_token":"([^"]+)"/.exec(answer)?.[1];
  if (!next) throw new Error(`A refresh was answered: ${answer}`);
  return next;
}
