import { randomBytes, randomInt } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { buildListOf } from '#test/lists.ts';
import { connectCrm } from '../harness/connect-crm.ts';
import { startFairlead } from '../harness/fairlead.ts';
import { createGetter } from '../harness/http-get.ts';
import { type Figure, report } from '../harness/report.ts';
import { inMs, percentile, timed } from '../harness/statistics.ts';

const PER_SECOND = 200;
const SECONDS = 20;
const LISTS = 30;
const READ_EVERY_MS = 25;

/** Sign-in attempts of addresses that no one has, each from another network: no limit by network helps against them. */
const fairlead = await startFairlead({ env: { TRUST_PROXY: 'loopback' } });
const { url, db, session } = fairlead;
const { get, close } = createGetter(session.headers);
const sockets = new Agent({ keepAlive: true, maxSockets: 64 });
try {
  for (let list = 0; list < LISTS; list += 1) await buildListOf(db, session.userId, [], { sandbox: false });
  const read = () => get(`${url}/rest/v1/lists?select=*&order=created_at.desc`);
  await readFor(2, read);
  const before = percentile(await readFor(SECONDS, read), 99);
  const underLoad = async (where: string): Promise<Figure> => {
    const attack = attempts();
    const during = percentile(await readFor(SECONDS, read), 99);
    return {
      name: `GET /rest/v1/lists under ${PER_SECOND} sign-in attempts a second, ${where}, p99`,
      value: during / before,
      unit: '×',
      limit: ['≤', 5],
      measured: inMs(during),
      against: `idle, ${inMs(before)}; attempts answered: ${describe(await attack)}`,
    };
  };
  const alone = await underLoad('no CRM');
  await connectCrm(url, session);
  report([alone, await underLoad('with a CRM')]);
} finally {
  close();
  sockets.destroy();
  await fairlead.stop();
}

/** The times in ms of reads that begin every few ms, for so many seconds, one after the other. */
async function readFor(seconds: number, read: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (const until = performance.now() + seconds * 1000; performance.now() < until; await pause(READ_EVERY_MS))
    times.push(await timed(read));
  return times;
}

/** Sends them at their rate, however long the answers take. Returns how many came back with which status. */
async function attempts(): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  const sent: Promise<void>[] = [];
  const started = performance.now();
  for (let n = 0; n < PER_SECOND * SECONDS; n += 1) {
    const ahead = started + (n * 1000) / PER_SECOND - performance.now();
    if (ahead > 1) await pause(ahead);
    sent.push(attempt(n).then((status) => void statuses.set(status, (statuses.get(status) ?? 0) + 1)));
  }
  await Promise.all(sent);
  return statuses;
}

/** Prechecks and requests for a link, in turn. 0 stands for a connection that broke. */
function attempt(n: number): Promise<number> {
  const path = n % 2 === 0 ? '/api/auth/precheck' : '/auth/v1/otp';
  const forwarded = [11, randomInt(256), randomInt(256), randomInt(256)].join('.');
  const headers = { ...session.headers, 'content-type': 'application/json', 'x-forwarded-for': forwarded };
  return new Promise((resolve) => {
    const sending = request(`${url}${path}`, { method: 'POST', agent: sockets, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    sending.on('error', () => resolve(0));
    sending.end(JSON.stringify({ email: `${randomBytes(6).toString('hex')}@people.example` }));
  });
}

function describe(statuses: ReadonlyMap<number, number>): string {
  return [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
}
