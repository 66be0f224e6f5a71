import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import { readEntry } from '#server/features/suppressions/read-entry.ts';
import { suppressedSince } from '#server/leads/suppressed.ts';
import { buildList, buildListOf } from '#test/lists.ts';
import { type Fairlead, startFairlead } from '../harness/fairlead.ts';
import { fill } from '../harness/fill.ts';
import { type Figure, report } from '../harness/report.ts';
import { type Session, signIn } from '../harness/sign-in.ts';
import { median, percentile, timed } from '../harness/statistics.ts';

const ENTRIES = 1_000_000;
const LEADS = 100_000;
/** Lists of other people, with the same leads in each: one entry holds back one of each. */
const OTHERS = { people: 15, lists: 20, leads: 600 };
const LOOK_UPS = 2_000;
/** The number of a lead that is held while everyone looks, and that of the lead behind it. */
const [HELD, BEHIND] = ['+1 700-555-0042', '+1 700-555-0043'];
/** The same number as five files may spell it. */
const SPELLINGS = [
  '+1 646-555-0142',
  '(646) 555-0142',
  '646.555.0142 ext. 7',
  'tel:+16465550142',
  '1-646-555-0142 x12',
];

const fairlead = await startFairlead();
try {
  report(await measure(fairlead));
} finally {
  await fairlead.stop();
}

async function measure({ db, url, session }: Fairlead): Promise<Figure[]> {
  await fill(db, OTHERS);
  await session.post('/api/admin/users/invite', { email: 'other@fairlead.example', role: 'user' });
  const other = await signIn(url, 'other@fairlead.example');
  const lists = [await buildLong(db, session.userId, 'a'), await buildLong(db, other.userId, 'b')];
  await sql`vacuum analyze public.leads`.execute(db);
  const exported = await timed(() => download(url, other, lists[1] ?? ''));

  const importing = await timed(() => importAll(url, session));
  await sql`analyze app.suppressions`.execute(db);
  const lookUps = await sampleLookUps(db);
  const again = await timed(() => download(url, session, lists[0] ?? ''));
  const held = await blockedEverywhere(url, session, other, lists);
  const long = await timed(() =>
    session.post('/api/suppressions', { kind: 'domain', value: 'harbour-plumbing-7.example' }),
  );
  const many = await timed(() =>
    session.post('/api/suppressions', { kind: 'company', value: 'Everyone Invented LLC' }),
  );
  return [
    {
      name: `adding ${ENTRIES} entries by one CSV file`,
      value: importing / 1_000,
      unit: 's',
      limit: ['≤', 60],
    },
    { name: 'look-up of one number, p95', value: percentile(lookUps, 95), unit: 'ms', limit: ['≤', 1] },
    { name: 'look-up of one number, p50', value: median(lookUps), unit: 'ms' },
    { name: 'blocked everywhere after adding', value: held / 1_000, unit: 's', limit: ['≤', 5] },
    { name: `adding one that ${OTHERS.people * OTHERS.lists} lists hold`, value: long, unit: 'ms' },
    { name: `adding one that ${2 * LEADS} leads hold`, value: many, unit: 'ms', limit: ['≤', 5_000] },
    { name: `export of ${LEADS} leads, and whom it held`, value: exported / 1_000, unit: 's' },
    { name: `the same beside ${ENTRIES} entries`, value: again / 1_000, unit: 's' },
    {
      name: 're-imports in other spellings that got through',
      value: await reimport(db, session),
      unit: 'calls',
      limit: ['≤', 0],
    },
  ];
}

/** A long list of different businesses, all of one company. */
async function buildLong(db: Db, userId: string, name: string): Promise<string> {
  const id = await buildList(db, userId, { sandbox: false, lead_count: LEADS, status: 'completed' });
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`
      insert into public.leads (list_id, position, business_name, phone, website, email, compliance_status, compliance_checked_at,
        place_id)
      select ${id}::uuid, n, 'Everyone Invented, Inc.', '+1 ' || 700 + n / 10000 || '-555-' || lpad((n % 10000)::text, 4, '0'),
        'https://www.site-' || n || '.example/', 'owner@site-' || n || '.example', 'safe', now(), ${name} || n
      from generate_series(0, ${LEADS - 1}) as n`.execute(tx);
  });
  return id;
}

/** Numbers of no lead: 200 to 299 stand where an area code does. */
function phone(at: number): string {
  return `(${200 + Math.floor(at / 10_000)}) 555-${String(at % 10_000).padStart(4, '0')}`;
}

async function importAll(url: string, { headers }: Session): Promise<void> {
  const lines = Array.from({ length: ENTRIES }, (_, at) => phone(at));
  const response = await fetch(`${url}/api/suppressions/import/file`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'text/csv' },
    body: `phone\n${lines.join('\n')}`,
  });
  const { data } = (await response.json()) as { data?: { added: number } };
  if (data?.added !== ENTRIES) throw new Error(`The file added ${data?.added} of ${ENTRIES} entries.`);
}

async function sampleLookUps(db: Db): Promise<number[]> {
  const times: number[] = [];
  for (let at = -100; at < LOOK_UPS; at += 1) {
    const entry = readEntry('phone', phone((Math.abs(at) * 7_919) % (2 * ENTRIES)));
    if (entry.state === 'wrong') throw new Error(entry.why);
    const ms = await timed(() => suppressedSince(db, 'phone', entry.value));
    if (at >= 0) times.push(ms);
  }
  return times;
}

type Counts = { suppressed: number; exports: { all: { all_leads: number } } };

/** From sending an entry until every place where its leads show has held them back, for two people. In ms. */
async function blockedEverywhere(url: string, one: Session, other: Session, lists: readonly string[]): Promise<number> {
  const places = await Promise.all([one, other].map((session, at) => placesOf(url, session, lists[at] ?? '')));
  return timed(async () => {
    await one.post('/api/suppressions', { kind: 'phone', value: '700.555.0042' });
    await Promise.all(
      places.flat().map(async ({ name, holds }) => {
        for (const until = Date.now() + 30_000; !(await holds()); await pause(50))
          if (Date.now() > until) throw new Error(`It is not held back: ${name}.`);
      }),
    );
  });
}

async function placesOf(url: string, session: Session, listId: string) {
  const read = async (path: string) => (await fetch(`${url}${path}`, { headers: session.headers })).json();
  const updatedAt = async () =>
    ((await read(`/rest/v1/lists?select=updated_at&id=eq.${listId}`)) as { updated_at: string }[])[0]?.updated_at;
  const before = await updatedAt();
  if (!(await beginning(url, session, listId)).includes(HELD)) throw new Error(`The list does not begin with ${HELD}.`);
  const counts = () => session.post(`/api/lists/${listId}/leads/counts`, {}) as Promise<Counts>;
  return [
    { name: 'counts', holds: async () => (await counts()).suppressed === 1 },
    { name: 'counts of an export', holds: async () => (await counts()).exports.all.all_leads === LEADS - 1 },
    { name: 'the open page of the list', holds: async () => (await updatedAt()) !== before },
    { name: 'the export', holds: async () => !(await beginning(url, session, listId)).includes(HELD) },
    {
      name: 'enrichment',
      holds: async () =>
        ((await session.post('/api/enrich/estimate', { list_id: listId })) as { suppressed: number }).suppressed === 1,
    },
    {
      name: 'compliance',
      holds: async () =>
        ((await session.post('/api/compliance/estimate', { list_id: listId })) as { suppressed: number }).suppressed ===
        1,
    },
    {
      name: 'the call',
      holds: async () =>
        (
          (await session.post('/api/callability/check', { phone: '+1 700 555 0042', state: 'TX' })) as {
            verdict: string;
          }
        ).verdict === 'blocked',
    },
  ];
}

/** An export as it arrives. */
async function exportOf(url: string, session: Session, listId: string): Promise<ReadableStream<Uint8Array>> {
  const response = await fetch(`${url}/api/lists/${listId}/export`, {
    method: 'POST',
    headers: { ...session.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ filter: 'all', compliance: 'all_leads' }),
  });
  if (!response.ok || !response.body) throw new Error(`The export answered ${response.status}.`);
  return response.body;
}

/** Reads an export to its end. Returns its lines. */
async function download(url: string, session: Session, listId: string): Promise<number> {
  let lines = 0;
  for await (const part of await exportOf(url, session, listId)) for (const byte of part) if (byte === 10) lines += 1;
  return lines;
}

/** Reads an export to the lead behind the one that is held, and breaks off. */
async function beginning(url: string, session: Session, listId: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const part of await exportOf(url, session, listId)) {
    text += decoder.decode(part, { stream: true });
    if (text.includes(BEHIND)) return text;
  }
  throw new Error(`An export ended without ${BEHIND}.`);
}

/** How many of the spellings of a suppressed number are not held back in a new list. */
async function reimport(db: Db, session: Session): Promise<number> {
  await session.post('/api/suppressions', { kind: 'phone', value: '646 555 0142' });
  const listId = await buildListOf(
    db,
    session.userId,
    SPELLINGS.map((spelling) => ({ phone: spelling })),
    { sandbox: false },
  );
  const { suppressed } = (await session.post(`/api/lists/${listId}/leads/counts`, {})) as Counts;
  return SPELLINGS.length - suppressed;
}
