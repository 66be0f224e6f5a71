import { once } from 'node:events';
import { sql } from 'kysely';
import { WebSocket } from 'ws';
import { LIVE_CHANNEL } from '#contract/live.ts';
import { startFairlead } from '../harness/fairlead.ts';
import { report } from '../harness/report.ts';
import { type Session, signIn } from '../harness/sign-in.ts';
import { inMs, median } from '../harness/statistics.ts';

const PEOPLE = 100;
const PAGES_OF_EACH = 10;
const PAGES = PEOPLE * PAGES_OF_EACH;
const ROUNDS = 7;

const fairlead = await startFairlead();
const sockets: WebSocket[] = [];
/** Called for each page that is told something. */
let hear: () => void = () => {};
try {
  const people: Session[] = [];
  for (let person = 0; person < PEOPLE; person += 1) people.push(await arrive(`person-${person}@people.example`));
  for (const person of people) await person.insertList('Bakers in Salem, MA');
  for (const person of people) await Promise.all(Array.from({ length: PAGES_OF_EACH }, () => open(person)));
  const [first] = people;
  const own = await rounds(PAGES_OF_EACH, (name) =>
    sql`update lists set name = ${name} where user_id = ${first?.userId}`.execute(fairlead.db),
  );
  const all = await rounds(PAGES, (name) => sql`update lists set name = ${name}`.execute(fairlead.db));
  const told = (name: string, ms: number) => ({
    name,
    value: ms / 1_000,
    measured: inMs(ms),
    unit: 's' as const,
    limit: ['≤', 1] as const,
  });
  report([
    told(`a list of everyone's changes, to ${PAGES} pages`, all),
    told(`one list changes, to its owner's ${PAGES_OF_EACH} among ${PAGES}`, own),
  ]);
} finally {
  for (const socket of sockets) socket.terminate();
  await fairlead.stop();
}

async function arrive(email: string): Promise<Session> {
  const expires_at = new Date(Date.now() + 3_600_000);
  await fairlead.db.insertInto('app.invitations').values({ email, expires_at }).execute();
  // All of them come from one network.
  await sql`delete from app.rate_limits`.execute(fairlead.db);
  return signIn(fairlead.url, email);
}

/** Resolves when a page is told what happens to its owner's lists. */
async function open({ accessToken, headers, userId }: Session): Promise<void> {
  const address = `${fairlead.url.replace('http', 'ws')}/realtime/v1/websocket?vsn=2.0.0&apikey=${headers.apikey}`;
  const socket = new WebSocket(address);
  sockets.push(socket);
  await once(socket, 'open');
  const payload = { config: { private: true }, access_token: accessToken };
  socket.send(JSON.stringify(['1', '1', `realtime:${LIVE_CHANNEL.of(userId)}`, 'phx_join', payload]));
  await new Promise<void>((resolve, reject) => {
    socket.on('message', (data) => {
      const [, , , event, { status, ...answer }] = JSON.parse(String(data));
      if (event === 'broadcast') hear();
      else if (status === 'ok') resolve();
      else if (status === 'error') reject(new Error(JSON.stringify(answer)));
    });
  });
}

/** How long it takes in the middle, in ms, until as many pages have heard what `change` does. */
async function rounds(pages: number, change: (name: string) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    let heard = 0;
    const everybody = new Promise<void>((resolve) => {
      hear = () => {
        heard += 1;
        if (heard === pages) resolve();
      };
    });
    const began = performance.now();
    await change(`Round ${round}`);
    await everybody;
    times.push(performance.now() - began);
  }
  return median(times);
}
