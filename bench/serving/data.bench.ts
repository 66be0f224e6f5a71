import { sql } from 'kysely';
import { chunks } from '#server/lib/chunks.ts';
import { buildListOf } from '#test/lists.ts';
import { fullLeads } from '#test/seed/big.ts';
import { type BareRoute, startBareServer } from '../harness/bare-server.ts';
import { type Fairlead, startFairlead } from '../harness/fairlead.ts';
import { createGetter } from '../harness/http-get.ts';
import { mainThreadMs } from '../harness/process-figures.ts';
import { recordRead } from '../harness/recorded-read.ts';
import { type Figure, report } from '../harness/report.ts';
import { inMs, median, timed } from '../harness/statistics.ts';

const REQUESTS = 600;
const WARM_UP = 100;
const FEW = 60;
const MANY = 10_000;
const PAGE = 1_000;
const OTHER_LISTS = 4;
const ROUNDS = 20;
const WARM_UP_ROUNDS = 3;

const fairlead = await startFairlead();
try {
  report([await fewRows(fairlead), ...(await manyRows(fairlead))]);
} finally {
  await fairlead.stop();
}

/** The leads of a usual list, against a handler that does nothing but the same SQL. */
async function fewRows({ url, databaseUrl, session }: Fairlead): Promise<Figure> {
  const listId = await seed(FEW);
  const path = `/leads?${new URLSearchParams({ select: '*', list_id: `eq.${listId}`, order: 'position.asc' })}`;
  const bare = await startBareServer({
    databaseUrl,
    routes: { few: { ...(await recordRead(databaseUrl, session, path)), answer: 'text' } },
  });
  const { get, close } = createGetter(session.headers);
  const ours = () => get(`${url}/rest/v1${path}`);
  const theirs = () => get(`${bare.url}/few`);
  requireSame(await ours(), await theirs(), FEW);
  const times = await takeTurns([ours, theirs], WARM_UP, REQUESTS);
  close();
  await bare.stop();
  const [api, handler] = times.map(median) as [number, number];
  return {
    name: `GET /rest/v1/leads of ${FEW} rows, p50 of ${REQUESTS}`,
    value: api / handler,
    unit: '×',
    limit: ['≤', 1.3],
    measured: inMs(api),
    against: `a bare handler with the same SQL, ${inMs(handler)}`,
  };
}

/** All pages of a large list, against a handler that makes objects of the rows and text of the objects. */
async function manyRows({ url, pid, databaseUrl, session }: Fairlead): Promise<Figure[]> {
  // A database with one list is scanned whole.
  for (let other = 0; other < OTHER_LISTS; other += 1) await seed(MANY);
  const listId = await seed(MANY);
  const paths = Array.from({ length: MANY / PAGE }, (_, page) => {
    const range = { offset: String(page * PAGE), limit: String(PAGE) };
    const query = { select: '*', list_id: `eq.${listId}`, order: 'position.asc', ...range };
    return `/leads?${new URLSearchParams(query)}`;
  });
  const routes: Record<string, BareRoute> = {};
  for (const [page, path] of paths.entries()) {
    const { begin } = await recordRead(databaseUrl, session, path);
    const rows = 'select * from public.leads where list_id = $1 order by position limit $2 offset $3';
    const values = [listId, PAGE, page * PAGE];
    routes[`${page}`] = { begin, statement: { text: rows, values }, answer: 'objects' };
    const text = `select string_agg(page::text, '') as body from (${rows}) as page`;
    routes[`bare/${page}`] = { begin, statement: { text, values }, answer: 'text' };
  }
  const bare = await startBareServer({ databaseUrl, routes });
  const { get, close } = createGetter(session.headers);
  const allOf = async (urls: readonly string[]) => {
    const pages: Buffer[] = [];
    for (const one of urls) pages.push(await get(one));
    return pages;
  };
  const ours = () => allOf(paths.map((path) => `${url}/rest/v1${path}`));
  const theirs = () => allOf(paths.map((_, page) => `${bare.url}/${page}`));
  const bareText = () => allOf(paths.map((_, page) => `${bare.url}/bare/${page}`));
  for (const [page, body] of (await ours()).entries()) requireSame(body, (await theirs())[page], PAGE);
  const work: number[][] = [[], []];
  // Only while it answers: the server has other things to do in between, and the handler has not.
  const counted = (pid: number, into: number[] | undefined, call: () => Promise<unknown>) => async () => {
    const before = mainThreadMs(pid);
    await call();
    into?.push(mainThreadMs(pid) - before);
  };
  const times = await takeTurns(
    [counted(pid, work[0], ours), counted(bare.pid, work[1], theirs), bareText],
    WARM_UP_ROUNDS,
    ROUNDS,
  );
  close();
  await bare.stop();
  const [api, handler, floor] = times.map(median) as [number, number, number];
  const [apiCpu, handlerCpu] = work.map((ms) => median(ms.slice(WARM_UP_ROUNDS))) as [number, number];
  return [
    {
      name: `${MANY} leads in pages of ${PAGE}, time of Node's thread`,
      value: handlerCpu / apiCpu,
      unit: '×',
      limit: ['≥', 3],
      measured: inMs(apiCpu),
      against: `parsing rows and serializing them again, ${inMs(handlerCpu)}`,
    },
    {
      name: 'the same, until all pages have arrived',
      value: handler / api,
      unit: '×',
      measured: inMs(api),
      against: inMs(handler),
    },
    {
      name: 'the most there is to gain: rows as bare text, not even JSON',
      value: handler / floor,
      unit: '×',
      measured: inMs(floor),
      against: inMs(handler),
    },
  ];
}

async function seed(leads: number): Promise<string> {
  const { db, session } = fairlead;
  const listId = await buildListOf(db, session.userId, [], { sandbox: false, lead_count: leads });
  const rows = fullLeads(leads, new Date()).map((lead, position) => ({ ...lead, list_id: listId, position }));
  for (const some of chunks(rows, 2_000)) await db.insertInto('leads').values(some).execute();
  // As autovacuum would within a minute.
  await sql`analyze public.leads`.execute(db);
  return listId;
}

/** Both must have answered all rows, and the same ones. */
function requireSame(one: Buffer, other: Buffer | undefined, rows: number): void {
  const [ours, theirs] = [one, other].map((body) => JSON.parse(body?.toString() ?? '[]') as { id: string }[]);
  if (ours?.length !== rows) throw new Error(`${ours?.length} rows came instead of ${rows}.`);
  if (ours.some((row, index) => row.id !== theirs?.[index]?.id)) throw new Error('Other rows came.');
}

/** Calls each in turn, so that what else the machine does hits all alike. Returns the times of each in ms. */
async function takeTurns(calls: readonly (() => Promise<unknown>)[], warmUp: number, count: number) {
  const times = calls.map((): number[] => []);
  for (let turn = -warmUp; turn < count; turn += 1)
    for (const [index, call] of calls.entries()) {
      const ms = await timed(call);
      if (turn >= 0) times[index]?.push(ms);
    }
  return times;
}
