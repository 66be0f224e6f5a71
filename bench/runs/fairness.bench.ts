import { sql } from 'kysely';
import { buildListOf } from '#test/lists.ts';
import { startFairlead } from '../harness/fairlead.ts';
import { report } from '../harness/report.ts';
import { type Session, signIn } from '../harness/sign-in.ts';
import { inMs, timed } from '../harness/statistics.ts';

const LATENCY_MS = 200;
const USERS = 20;
const DOMAINS = 30;
const RUNS_IN_THE_WAY = 100;

const fairlead = await startFairlead({ latencyMs: LATENCY_MS });
const { db, session: admin } = fairlead;
try {
  const users: Session[] = [];
  for (let number = 0; number < USERS; number += 1) users.push(await person(number));
  const lists = await Promise.all(users.map((user, number) => listOf(user, `fair-${number}`)));
  const times = await Promise.all(users.map((user, number) => timed(() => enrich(user, lists[number] ?? ''))));
  const [shortest, longest] = [Math.min(...times), Math.max(...times)];

  const [one, many] = [users[0] ?? admin, users[1] ?? admin];
  const alone = await timed(async () => enrich(one, await listOf(one, 'alone')));
  for (let number = 0; number < RUNS_IN_THE_WAY; number += 1) await queueRun(many, `many-${number}`);
  const list = await listOf(one, 'behind');
  const behind = await timed(() => enrich(one, list));
  const left = await openRuns(many);
  report([
    {
      name: `${USERS} equal runs of ${USERS} users, the fastest against the slowest`,
      value: longest / shortest,
      unit: '×',
      limit: ['≤', 1.5],
      measured: inMs(longest),
      against: inMs(shortest),
    },
    {
      name: `one run, while ${RUNS_IN_THE_WAY} of someone else wait`,
      value: behind / alone,
      unit: '×',
      // Eight of theirs work beside it; behind all of them it would take ten times as long.
      limit: ['≤', 3],
      measured: inMs(behind),
      against: `alone, ${inMs(alone)}; ${left} of theirs were still open then`,
    },
  ]);
  if (left === 0) throw new Error('Nothing was in the way.');
} finally {
  await fairlead.stop();
}

/** Someone who was invited, with a Hunter key of their own. */
async function person(number: number): Promise<Session> {
  const email = `fair-${number}@people.example`;
  await sql`delete from app.rate_limits`.execute(db);
  await admin.post('/api/admin/users/invite', { email, role: 'user' });
  const session = await signIn(fairlead.url, email);
  await session.post('/api/keys/test', { provider: 'hunter_io', apiKey: `bench-fair-${number}`, save: true });
  return session;
}

function listOf(user: Session, name: string): Promise<string> {
  const leads = Array.from({ length: DOMAINS }, (_, index) => ({ website: `https://${name}-${index}.example/` }));
  return buildListOf(db, user.userId, leads, { sandbox: false });
}

function enrich(user: Session, listId: string): Promise<unknown> {
  return user.post('/api/enrich/emails', { list_id: listId, steps: ['hunter'] });
}

/** A run that waits, as a request leaves it behind whose caller has gone. */
async function queueRun(user: Session, name: string): Promise<void> {
  const list_id = await listOf(user, name);
  await db
    .insertInto('app.runs')
    .values({
      user_id: user.userId,
      list_id,
      list_name: name,
      kind: 'enrichment',
      input: '{}',
      sandbox: false,
      bound_micros: DOMAINS * 50_000,
    })
    .execute();
}

async function openRuns(user: Session): Promise<number> {
  const { open } = await db
    .selectFrom('app.runs')
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .where('user_id', '=', user.userId)
    .where('state', 'in', ['queued', 'running'])
    .executeTakeFirstOrThrow();
  return Number(open);
}
