import { sql } from 'kysely';
import { startFairlead } from './harness/fairlead.ts';
import { residentBytes } from './harness/process-figures.ts';
import { report } from './harness/report.ts';
import { signIn } from './harness/sign-in.ts';

const PEOPLE = 100;
const STREAMS_OF_EACH = 10;
const STREAMS = PEOPLE * STREAMS_OF_EACH;
const MEGABYTE = 1_000_000;

const fairlead = await startFairlead({ heapOnSignal: true });
const leaving = new AbortController();
try {
  const tokens: string[] = [];
  for (let person = 0; person < PEOPLE; person += 1) tokens.push(await tokenOf(`person-${person}@people.example`));
  const heapBefore = await fairlead.usedHeapBytes();
  const residentBefore = residentBytes(fairlead.pid);
  for (const token of tokens) await Promise.all(Array.from({ length: STREAMS_OF_EACH }, () => open(token)));
  const heap = (await fairlead.usedHeapBytes()) - heapBefore;
  const resident = residentBytes(fairlead.pid) - residentBefore;
  report([
    { name: `heap of one idle stream, of ${STREAMS}`, value: heap / STREAMS / 1_000, unit: 'kB', limit: ['≤', 40] },
    { name: `memory that ${STREAMS} idle streams take`, value: resident / MEGABYTE, unit: 'MB' },
  ]);
} finally {
  leaving.abort();
  await fairlead.stop();
}

async function tokenOf(email: string): Promise<string> {
  const expires_at = new Date(Date.now() + 3_600_000);
  await fairlead.db.insertInto('app.invitations').values({ email, expires_at }).execute();
  // All of them come from one network.
  await sql`delete from app.rate_limits`.execute(fairlead.db);
  return (await signIn(fairlead.url, email)).accessToken;
}

/** Resolves when the stream has begun; what comes after that is not read. */
async function open(token: string): Promise<void> {
  const response = await fetch(`${fairlead.url}/api/events`, {
    headers: { authorization: `Bearer ${token}` },
    signal: leaving.signal,
  });
  if (!response.ok) throw new Error(`No stream: ${response.status} ${await response.text()}`);
  await response.body?.getReader().read();
}
