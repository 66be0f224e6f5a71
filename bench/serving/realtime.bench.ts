import { once } from 'node:events';
import { sql } from 'kysely';
import { WebSocket } from 'ws';
import { startFairlead } from '../harness/fairlead.ts';
import { mainThreadMs, residentBytes } from '../harness/process-figures.ts';
import { type Figure, report } from '../harness/report.ts';
import { type Session, signIn } from '../harness/sign-in.ts';
import { inMs, median } from '../harness/statistics.ts';

const PEOPLE = 1_000;
const SUBSCRIBERS = 1_000;
const ROUNDS = 7;
const SLOW_SOCKETS = 4;
const LISTS_AND_NOTICES = ['lists', 'notices'].map((table) => ({ event: '*', schema: 'public', table }));
const MEGABYTE = 1_000_000;

const fairlead = await startFairlead({ heapOnSignal: true });
/** Called with what a subscriber is told: the name of the event, and when a change was made, in ms since 1970. */
let hear: (event: string, changedAt?: number) => void = () => {};
try {
  const people: Session[] = [];
  for (let person = 0; person < PEOPLE; person += 1) people.push(await arrive(`person-${person}@people.example`));
  for (const person of people) await person.insertList('Bakers in Salem, MA');
  await addNotice();
  report([...(await measure(people.slice(0, 100))), ...(await measure(people)), ...(await besideSlowFilters(people))]);
} finally {
  await fairlead.stop();
}

/** With the subscribers divided among so many people, at a server that has done nothing else. */
async function measure(people: readonly Session[]): Promise<Figure[]> {
  await fairlead.restart();
  const sockets: WebSocket[] = [];
  const socketsOfEach = SUBSCRIBERS / people.length;
  const before = { heap: await fairlead.usedHeapBytes(), resident: residentBytes(fairlead.pid) };
  for (const person of people)
    sockets.push(...(await Promise.all(Array.from({ length: socketsOfEach }, () => subscribe(person)))));
  const heap = (await fairlead.usedHeapBytes()) - before.heap;
  const resident = residentBytes(fairlead.pid) - before.resident;

  const first = people[0]?.userId;
  const own = await rounds(socketsOfEach, 'postgres_changes', (round) =>
    sql`update lists set name = ${`One ${round}`} where user_id = ${first}`.execute(fairlead.db),
  );
  const ids = people.map(({ userId }) => userId);
  const all = await rounds(SUBSCRIBERS, 'postgres_changes', (round) =>
    sql`update lists set name = ${`All ${round}`} where user_id = any (${ids}::uuid[])`.execute(fairlead.db),
  );
  const notice = await rounds(SUBSCRIBERS, 'postgres_changes', (round) =>
    sql`update notices set body = ${`Notice ${round}`}`.execute(fairlead.db),
  );
  const said = await rounds(SUBSCRIBERS - 1, 'broadcast', async (round) =>
    sockets[0]?.send(
      JSON.stringify(['1', '2', 'realtime:all', 'broadcast', { type: 'broadcast', event: `${round}`, payload: {} }]),
    ),
  );
  for (const socket of sockets) socket.terminate();

  const who = `${people.length} people, ${socketsOfEach} each`;
  const reached = (name: string, { ms, busyMs }: typeof all): Figure => ({
    name: `${who}: ${name}`,
    value: ms / 1_000,
    unit: 's',
    measured: `${inMs(ms)}, of which the server's thread works ${inMs(busyMs)}`,
  });
  const inTime = (name: string, times: typeof all): Figure => ({ ...reached(name, times), limit: ['≤', 0.25] });
  return [
    { name: `${who}: memory, idle`, value: resident / MEGABYTE, unit: 'MB', limit: ['≤', 100] },
    { name: `${who}: heap of one`, value: heap / SUBSCRIBERS / 1_000, unit: 'kB' },
    inTime('a change of a row that everyone sees', notice),
    inTime('a change of one row, to its owner', own),
    inTime('a broadcast', said),
    reached(`${people.length} changes, of a row of each`, all),
  ];
}

/** What one person's slow filters cost two others, of whom one has a filter as well. Each row takes a slow filter two seconds. */
async function besideSlowFilters([slow, plain, filtered]: readonly Session[]): Promise<Figure[]> {
  if (!slow || !plain || !filtered) throw new Error('Three people are needed.');
  await sql`
    create type public.tardy as (x integer);
    create function public.slowly(one public.tardy, other public.tardy) returns boolean language plpgsql as
      'begin perform pg_sleep(2); return true; end';
    create operator public.= (leftarg = public.tardy, rightarg = public.tardy, function = public.slowly);
    alter table public.lists add column tardy public.tardy default row(1)::public.tardy;
  `.execute(fairlead.db);
  await fairlead.restart();
  const ofLists = { event: '*', schema: 'public', table: 'lists' };
  const others = [
    await subscribe(plain, [ofLists]),
    await subscribe(filtered, [{ ...ofLists, filter: 'name=neq.Nothing' }]),
  ];
  const everyone = [slow, plain, filtered].map(({ userId }) => userId);
  const change = (round: number) =>
    sql`update lists set name = ${`Beside ${round}`} where user_id = any (${everyone}::uuid[])`.execute(fairlead.db);
  const alone = await rounds(others.length, 'postgres_changes', change);
  let slowSockets: WebSocket[] = [];
  const beside = await rounds(others.length, 'postgres_changes', change, async () => {
    // A filter that was given up is not applied again.
    for (const socket of slowSockets) socket.terminate();
    const filters = Array.from({ length: SLOW_SOCKETS }, (_, number) => `tardy=eq.(${number})`);
    slowSockets = await Promise.all(filters.map((filter) => subscribe(slow, [{ ...ofLists, filter }])));
  });
  for (const socket of [...others, ...slowSockets]) socket.terminate();
  return [
    {
      name: `a change, to two people, beside ${SLOW_SOCKETS} slow filters of a third`,
      value: beside.ms / 1_000,
      unit: 's',
      limit: ['≤', 0.1],
      measured: inMs(beside.ms),
      against: `without them, ${inMs(alone.ms)}`,
    },
  ];
}

/** A row that everyone sees: none of the product's is. */
async function addNotice(): Promise<void> {
  await sql`
    create table public.notices (id uuid primary key default gen_random_uuid(), body text);
    alter table public.notices enable row level security;
    create policy server on public.notices to service_role using (true) with check (true);
    create policy everybody_reads on public.notices for select to authenticated using (app.is_active());
    grant select on public.notices to authenticated, service_role;
    select realtime.watch('public.notices', null);
    insert into public.notices (body) values ('Notice');
  `.execute(fairlead.db);
}

async function arrive(email: string): Promise<Session> {
  const expires_at = new Date(Date.now() + 3_600_000);
  await fairlead.db.insertInto('app.invitations').values({ email, expires_at }).execute();
  // All of them come from one network.
  await sql`delete from app.rate_limits`.execute(fairlead.db);
  return signIn(fairlead.url, email);
}

type Watched = { event: string; schema: string; table: string; filter?: string };

/** Resolves to a new socket when the server tells it changes, of lists and notices if nothing else is said. */
async function subscribe(
  { accessToken, headers }: Session,
  postgres_changes: readonly Watched[] = LISTS_AND_NOTICES,
): Promise<WebSocket> {
  const address = `${fairlead.url.replace('http', 'ws')}/realtime/v1/websocket?vsn=2.0.0&apikey=${headers.apikey}`;
  const socket = new WebSocket(address);
  await once(socket, 'open');
  const config = { postgres_changes };
  socket.send(JSON.stringify(['1', '1', 'realtime:all', 'phx_join', { config, access_token: accessToken }]));
  await new Promise<void>((resolve, reject) => {
    socket.on('message', (data) => {
      const [, , , event, payload] = JSON.parse(String(data));
      if (event === 'system' && payload.status === 'ok') resolve();
      if (event === 'phx_reply' && payload.status === 'error') reject(new Error(JSON.stringify(payload)));
      hear(event, payload.data ? Date.parse(payload.data.commit_timestamp) : undefined);
    });
  });
  return socket;
}

/**
 * How long it takes in the middle, in ms, until as many subscribers have heard what `act` does, from the end of its statement if it is one,
 * and how much of it the server's main thread works. `before`: what comes before each round.
 */
async function rounds(
  subscribers: number,
  event: string,
  act: (round: number) => Promise<unknown>,
  before: () => Promise<void> = async () => {},
) {
  const times: number[] = [];
  const busyBefore = mainThreadMs(fairlead.pid);
  for (let round = 0; round < ROUNDS; round += 1) {
    await before();
    let heard = 0;
    let began = Date.now();
    const all = new Promise<void>((resolve) => {
      hear = (one, changedAt = began) => {
        if (one !== event) return;
        began = changedAt;
        heard += 1;
        if (heard === subscribers) resolve();
      };
    });
    await act(round);
    await all;
    times.push(Date.now() - began);
  }
  return { ms: median(times), busyMs: (mainThreadMs(fairlead.pid) - busyBefore) / ROUNDS };
}
