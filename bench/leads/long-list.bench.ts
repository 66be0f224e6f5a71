import { sql } from 'kysely';
import { EXPORTS_BUCKET, exportFolder, keptName } from '#contract/work/exports/export-archive.ts';
import { buildList, buildListOf } from '#test/lists.ts';
import { fullLeads } from '#test/seed/big.ts';
import { type Fairlead, startFairlead } from '../harness/fairlead.ts';
import { fill } from '../harness/fill.ts';
import { createGetter } from '../harness/http-get.ts';
import { residentBytesWithApart } from '../harness/process-figures.ts';
import { type Figure, report } from '../harness/report.ts';
import { inMs, median, percentile, timed } from '../harness/statistics.ts';

/** Leads of the long list, and of all others in the database. */
const LEADS = 100_000;
const OTHER_LEADS = { people: 15, lists: 100, leads: 600 };
const ROUNDS = 40;
const WARM_UP_ROUNDS = 10;
const SHOWN = 100;
const MB = 1_048_576;

const fairlead = await startFairlead();
try {
  report(await measure(fairlead));
} finally {
  await fairlead.stop();
}

async function measure({ db, url, session, pid }: Fairlead): Promise<Figure[]> {
  await fill(db, OTHER_LEADS);
  const short = await buildListOf(db, session.userId, fullLeads(60, new Date()), { sandbox: false });
  const long = await buildLongList(fairlead);
  const { get, close } = createGetter(session.headers);
  const firstRows = (listId: string) => () =>
    Promise.all([
      get(`${url}/rest/v1/leads?select=*&list_id=eq.${listId}&order=position.asc&limit=${SHOWN}`),
      count(fairlead, listId, {}),
    ]);
  const [few, many] = [await sample(firstRows(short)), await sample(firstRows(long))];
  const figures: Figure[] = [
    {
      name: `first rows and counts of ${LEADS} leads, p50`,
      value: median(many),
      unit: 'ms',
      against: `60 leads, ${inMs(median(few))}`,
    },
  ];
  const rowsOf = (id: string) => () =>
    get(`${url}/rest/v1/leads?select=*&list_id=eq.${id}&order=position.asc&limit=60`);
  const [fewRows, manyRows] = [await sample(rowsOf(short)), await sample(rowsOf(long))];
  figures.push({
    name: 'first rows alone, p50',
    value: median(manyRows) / median(fewRows),
    unit: '×',
    limit: ['≤', 1.5],
    measured: inMs(median(manyRows)),
    against: `60 leads, ${inMs(median(fewRows))}`,
  });
  const address = `${url}/api/lists/${long}/leads?limit=${SHOWN}`;
  for (const [name, query] of [
    ['sorted by name', 'sort=businessName.asc'],
    ['sorted by email, from the end', 'sort=email.desc'],
    ['sorted by name, behind the first half', `sort=businessName.asc&after=${await middleOf(address, get)}`],
    ['with a text', 'q=harbour%20%26%20sons%20plumbing%20no.%2077'],
    ['with a text that nothing has', 'q=zeppelin'],
    ['without a website', 'lacks=website'],
    ['clean, in one city, with a sure email', 'verdict=safe&city=Springfield&confidence=90'],
  ] as const) {
    const times = await sample(() => get(`${address}&${query}`));
    figures.push({ name: `${name}, p95`, value: percentile(times, 95), unit: 'ms', limit: ['≤', 150] });
  }
  const counted = await sample(() => count(fairlead, long, { matching: { has: 'email', verdict: 'safe' } }));
  figures.push({ name: 'counts of a filter, p95', value: percentile(counted, 95), unit: 'ms', limit: ['≤', 150] });
  close();
  const planned = await timed(() => session.post('/api/enrich/estimate', { list_id: long }));
  figures.push({
    name: `planning an enrichment of ${LEADS} leads`,
    value: planned / 1_000,
    unit: 's',
    limit: ['≤', 5],
  });
  figures.push(...(await measureExport(fairlead, long, pid)));
  return figures;
}

/** The cursor of the lead in the middle of the order by name. */
async function middleOf(address: string, get: (url: string) => Promise<Buffer>): Promise<string> {
  const answer = await get(`${address}&sort=businessName.asc&offset=${LEADS / 2}`);
  return (JSON.parse(answer.toString()) as { data: { next: string } }).data.next;
}

async function buildLongList({ db, session }: Fairlead): Promise<string> {
  const id = await buildList(db, session.userId, { sandbox: false, lead_count: LEADS, status: 'completed' });
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`
      insert into public.leads (list_id, position, business_name, address, phone, website, email, email_confidence, owner_name,
        owner_title, phone_type, compliance_status, compliance_checked_at, place_id)
      select ${id}::uuid, n, 'Harbour & Sons Plumbing No. ' || (n * 7919) % ${LEADS}, n || ' Oak St, Springfield, IL 62701, USA',
        '+1 217-555-' || lpad((n % 10000)::text, 4, '0'), case when n % 9 > 0 then 'https://www.harbour-' || n || '.example/' end,
        case when n % 2 = 0 then 'owner@harbour-' || (n * 31) % ${LEADS} || '.example' end, n % 101, 'Alex Harbour', 'Owner', 'landline',
        case when n % 3 = 0 then 'safe' else 'not_checked' end, case when n % 3 = 0 then now() end, 'long-' || n
      from generate_series(0, ${LEADS - 1}) as n`.execute(tx);
  });
  await sql`vacuum analyze public.leads`.execute(db);
  return id;
}

async function count({ session }: Fairlead, listId: string, choice: object): Promise<void> {
  await session.post(`/api/lists/${listId}/leads/counts`, choice);
}

async function sample(work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    const ms = await timed(work);
    if (round >= 0) times.push(ms);
  }
  return times;
}

/** The whole list as a file, and how much more memory the server and its process for long work have while it is sent. */
async function measureExport({ url, session }: Fairlead, listId: string, pid: number): Promise<Figure[]> {
  const before = residentBytesWithApart(pid);
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, residentBytesWithApart(pid));
  }, 100);
  let lines = 0;
  const parts: Uint8Array[] = [];
  const ms = await timed(async () => {
    const response = await fetch(`${url}/api/lists/${listId}/export`, {
      method: 'POST',
      headers: { ...session.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ filter: 'all', compliance: 'all_leads' }),
    });
    if (!response.ok || !response.body) throw new Error(`The export answered ${response.status}.`);
    for await (const part of response.body) {
      parts.push(part);
      for (const byte of part) if (byte === 10) lines += 1;
    }
  });
  const kept = await timed(() => keep(new Blob(parts, { type: 'text/csv' })));
  clearInterval(timer);
  async function keep(file: Blob): Promise<void> {
    const exportedAt = new Date().toISOString();
    const name = keptName({
      exportedAt,
      filter: 'all',
      compliance: 'all_leads',
      rights: 'all',
      callWithin: undefined,
      callTimes: false,
      leads: LEADS,
      selected: false,
    });
    const path = `${EXPORTS_BUCKET}/${exportFolder(session.userId, listId)}/${name}`;
    const headers = { ...session.headers, 'content-type': 'text/csv' };
    const response = await fetch(`${url}/storage/v1/object/${path}`, { method: 'POST', headers, body: file });
    if (!response.ok) throw new Error(`The copy was answered with ${response.status}: ${await response.text()}`);
  }
  if (lines !== LEADS + 1) throw new Error(`The export has ${lines} lines.`);
  return [
    { name: `export of ${LEADS} leads`, value: ms / 1_000, unit: 's', limit: ['≤', 10] },
    { name: 'the same with its archived copy', value: (ms + kept) / 1_000, unit: 's', limit: ['≤', 10] },
    { name: 'more memory meanwhile', value: (most - before) / MB, unit: 'MB', limit: ['≤', 60] },
  ];
}
