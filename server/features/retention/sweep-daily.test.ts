import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { hasExpiredVerdict, LeadRow, readLead } from '#contract/work/leads.ts';
import { buildList, buildListOf, readLeads, readList } from '#test/lists.ts';
import { startProduct } from '#test/product.ts';
import { type SweepDeps, sweepDaily } from './sweep-daily.ts';

const product = await startProduct({ worker: false });
const { db, workerDeps: deps, mails } = product;

const DAY_MS = 86_400_000;
/** A minute more than so many days ago. */
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS - 60_000);
const archived = (days: number, name = 'Bakers in Tulsa, OK') => ({
  name,
  status: 'completed',
  lifecycle_status: 'archived',
  archived_at: daysAgo(days),
});
const exists = async (id: string) =>
  (await db.selectFrom('lists').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
const sweep = (with_: Partial<SweepDeps> = {}) => sweepDaily({ ...deps, ...with_ }, new AbortController().signal);
/** Lets so many days pass for what the sweeps have written, and for the lists. */
async function letPass(days: number): Promise<void> {
  const by = sql`${days * 24} * interval '1 hour'`;
  await sql`alter table public.lists disable trigger keep_list_clock`.execute(db);
  await sql`update public.lists set archived_at = archived_at - ${by}`.execute(db);
  await sql`alter table public.lists enable trigger keep_list_clock`.execute(db);
  await sql`update app.daily_sweep set swept_at = swept_at - ${by}`.execute(db);
  await sql`update app.deletion_warnings set archived_at = archived_at - ${by}, warned_at = warned_at - ${by},
    deletes_at = deletes_at - ${by}`.execute(db);
}

beforeEach(async () => {
  await sql`delete from app.daily_sweep`.execute(db);
  await sql`delete from public.lists`.execute(db);
  mails.length = 0;
});

test('once a day, also after a restart and with two processes', async () => {
  const other = await product.process({ worker: false });
  const signal = new AbortController().signal;
  const both = await Promise.all([sweep(), sweepDaily(other.workerDeps, signal)]);
  expect(both.filter(Boolean)).toHaveLength(1);
  expect(await sweepDaily(other.workerDeps, signal)).toBe(false);
  await letPass(0.99);
  expect(await sweep()).toBe(false);
  await letPass(0.01);
  expect(await sweep()).toBe(true);
});

test('a sweep that fails or is stopped counts as missed', async () => {
  const ann = await product.user('ann');
  const id = await buildList(db, ann.id, { status: 'completed', retention_from: daysAgo(31) });
  await sql`alter table app.answers rename to answers_away`.execute(db);
  await expect(sweep()).rejects.toThrow('answers');
  await sql`alter table app.answers_away rename to answers`.execute(db);
  expect((await readList(db, id)).lifecycle_status).toBe('archived');
  expect(await sweepDaily(deps, AbortSignal.abort())).toBe(false);
  expect(await sweep()).toBe(true);
});

test('warned on day 23, once, and deleted on day 30', async () => {
  const ann = await product.user('ann');
  const id = await buildList(db, ann.id, archived(22));
  await sweep();
  expect(mails).toEqual([]);
  for (const day of [23, 24, 25, 26, 27, 28, 29]) {
    await letPass(1);
    expect(await sweep(), `day ${day}`).toBe(true);
    expect(await exists(id), `day ${day}`).toBe(true);
    expect(mails, `day ${day}`).toHaveLength(1);
  }
  await letPass(1);
  await sweep();
  expect(await exists(id)).toBe(false);
  expect(mails).toHaveLength(1);
});

test('one mail to each person names their lists, the days and the way to keep them', async () => {
  const [ann, ben] = [await product.user('ann'), await product.user('ben')];
  const bakers = await buildList(db, ann.id, archived(24));
  await buildList(db, ann.id, archived(23, 'Dentists <b>in</b> Boise, ID'));
  await buildList(db, ann.id, archived(5, 'Young'));
  await buildList(db, ben.id, archived(25, 'Of Ben'));
  await sweep();
  expect(mails.map((mail) => mail.to).sort()).toEqual([ann.email, ben.email].sort());
  const mail = mails.find(({ to }) => to === ann.email);
  expect(mail?.subject).toBe('2 of your lists will be deleted');
  expect(mail?.text).toContain('Restore List');
  expect(mail?.text).toContain(`http://localhost:3000/lists/${bakers}`);
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
  expect(mail?.text).toContain(`Bakers in Tulsa, OK\nDeleted on ${day.format(Date.now() + 7 * DAY_MS)}`);
  expect(mail?.html).toContain('Dentists &lt;b&gt;in&lt;/b&gt; Boise, ID');
  for (const strange of ['Young', 'Of Ben']) expect(mail?.text).not.toContain(strange);
});

test('a server that was off all the time warns first and deletes a week later', async () => {
  const ann = await product.user('ann');
  const id = await buildList(db, ann.id, archived(50));
  await sweep();
  expect(mails).toHaveLength(1);
  expect(await exists(id)).toBe(true);
  await letPass(6.9);
  await sweep();
  expect(await exists(id)).toBe(true);
  await letPass(1.1);
  await sweep();
  expect(await exists(id)).toBe(false);
});

test('a list that was restored and archived again is warned of again', async () => {
  const ann = await product.user('ann');
  const id = await buildList(db, ann.id, archived(25));
  await sweep();
  for (const lifecycle_status of ['active', 'archived'])
    await db.updateTable('lists').set({ lifecycle_status }).where('id', '=', id).execute();
  await letPass(22);
  await sweep();
  expect(mails).toHaveLength(1);
  await letPass(1);
  await sweep();
  expect(mails).toHaveLength(2);
  expect(await exists(id)).toBe(true);
  await letPass(7);
  await sweep();
  expect(await exists(id)).toBe(false);
});

test('while the mail does not get through nothing is deleted; one person’s trouble is not another’s', async () => {
  const [ann, ben] = [await product.user('ann'), await product.user('ben')];
  const lists = [await buildList(db, ann.id, archived(31)), await buildList(db, ben.id, archived(31))];
  const sendMail: SweepDeps['sendMail'] = async (mail) => {
    if (mail.to === ann.email) throw new Error('no such mailbox');
    await deps.sendMail(mail);
  };
  await sweep({ sendMail });
  await letPass(8);
  await sweep({ sendMail });
  expect(await Promise.all(lists.map(exists))).toEqual([true, false]);
  expect(mails.map((mail) => mail.to)).toEqual([ben.email]);
  await letPass(1);
  await sweep();
  expect(mails.map((mail) => mail.to)).toEqual([ben.email, ann.email]);
});

test('where no mail can ever be sent, the days alone decide', async () => {
  const ann = await product.user('ann');
  const lists = [await buildList(db, ann.id, archived(29)), await buildList(db, ann.id, archived(30))];
  await sweep({ env: { ...deps.env, sandbox: false, smtpUrl: undefined } });
  expect(mails).toEqual([]);
  expect(await Promise.all(lists.map(exists))).toEqual([true, false]);
});

test('a person is written to once on a day, even when a second sweep comes sooner', async () => {
  const ann = await product.user('ann');
  await buildList(db, ann.id, archived(23));
  await sweep();
  await sql`delete from app.daily_sweep`.execute(db);
  await buildList(db, ann.id, archived(23, 'Due a little later'));
  await sweep();
  expect(mails).toHaveLength(1);
  await letPass(1);
  await sweep();
  expect(mails[1]?.text).toContain('Due a little later');
});

async function buildSearchRun(user_id: string): Promise<string> {
  const { id } = await db
    .insertInto('app.runs')
    .values({ user_id, list_name: 'Bakers', kind: 'search', state: 'completed', input: '{}', sandbox: true })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

test('expired answers and old coordinates go; place ids and everything else stay', async () => {
  const ann = await product.user('ann');
  const call = async (days: number, subject: string) =>
    (
      await db
        .insertInto('app.paid_calls')
        .values({
          idempotency_key: `${ann.id} ${subject}`,
          user_id: ann.id,
          provider: 'google_places',
          sandbox: true,
          operation: 'search_page',
          subject,
          state: 'answered',
          estimate_micros: 35_000,
          cost_micros: 35_000,
          settled_at: daysAgo(days),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  const [old, recent] = [
    await call(30, 'list 1, bakers within 8047 m of 39.79,-89.64, page 1'),
    await call(29, 'list 2, bakers within 8047 m of 39.79,-89.64, page 1'),
    await call(0, 'list 3, bakers within 8047 m of 39.79,-89.64, page 1'),
  ];
  const run = await buildSearchRun(ann.id);
  const recall = (subject: string, recalled_at: Date) =>
    db
      .insertInto('app.recalls')
      .values({
        run_id: run,
        operation: 'search_page',
        subject,
        recalled_at,
        user_id: ann.id,
        provider: 'google_places',
        sandbox: true,
        paid_call_id: recent,
        saved_micros: 35_000,
      })
      .execute();
  await recall('bakers within 8047 m of 39.79,-89.64, page 1', daysAgo(1));
  await recall('bakers within 8047 m of 39.79,-89.64, page 2', daysAgo(0));
  const answer = (subject: string, expires_at: Date | null) =>
    db
      .insertInto('app.answers')
      .values({
        user_id: ann.id,
        provider: 'google_places',
        operation: 'locate',
        subject,
        sandbox: true,
        answer: '{}',
        paid_call_id: recent,
        expires_at,
      })
      .execute();
  await answer('gone', daysAgo(0));
  await answer('later', new Date(Date.now() + DAY_MS));
  await answer('for good', null);
  const place = { latitude: 39.79, longitude: -89.64 };
  const list = await buildListOf(db, ann.id, [
    // As in a copy: the row is new, what it says is not.
    { ...place, place_id: 'a', place_call_id: old },
    { ...place, place_id: 'b', place_call_id: recent },
    { ...place, place_id: 'c', created_at: daysAgo(30) },
    { ...place, place_id: 'd', created_at: daysAgo(29) },
  ]);
  await sweep();
  expect((await readLeads(db, list)).map((lead) => [lead.place_id, lead.latitude, lead.longitude])).toEqual([
    ['a', null, null],
    ['b', 39.79, -89.64],
    ['c', null, null],
    ['d', 39.79, -89.64],
  ]);
  const answers = await db.selectFrom('app.answers').select('subject').orderBy('subject').execute();
  expect(answers.map(({ subject }) => subject)).toEqual(['for good', 'later']);
  const calls = await db.selectFrom('app.paid_calls').select('subject').orderBy('subject').execute();
  expect(calls.map(({ subject }) => subject)).toEqual([
    'list 1, bakers within 8047 m, page 1',
    'list 2, bakers within 8047 m, page 1',
    'list 3, bakers within 8047 m of 39.79,-89.64, page 1',
  ]);
  const recalls = await db.selectFrom('app.recalls').select('subject').orderBy('subject').execute();
  expect(recalls.map(({ subject }) => subject)).toEqual([
    'bakers within 8047 m of 39.79,-89.64, page 2',
    'bakers within 8047 m, page 1',
  ]);
});

test('sessions that were carried over and have ended go', async () => {
  const { id } = await product.user('ann');
  const [past, later] = [daysAgo(1), new Date(Date.now() + DAY_MS)];
  for (const [name, ends_at] of Object.entries({ over: past, waits: later }))
    await sql`insert into app.carried_sessions (id, user_id, token_hash, created_at, last_used_at, ends_at)
      values (gen_random_uuid(), ${id}, ${Buffer.from(name)}, ${past}, ${past}, ${ends_at})`.execute(db);
  await sweep();
  const left = await db.selectFrom('app.carried_sessions').select('token_hash').execute();
  expect(left.map(({ token_hash }) => token_hash.toString())).toEqual(['waits']);
});

test('counters whose window is over go', async () => {
  const rows = [
    { bucket: 'over', window_start: new Date(Date.now() - 3 * 3_600_000) },
    { bucket: 'counting', window_start: new Date() },
  ];
  await db.insertInto('app.rate_limits').values(rows).execute();
  await sweep();
  const left = await db.selectFrom('app.rate_limits').select('bucket').execute();
  expect(left.map((row) => row.bucket)).toContain('counting');
  expect(left.map((row) => row.bucket)).not.toContain('over');
});

test('a list whose verdicts have run out counts as checked no more; a litigator stays one', async () => {
  const ann = await product.user('ann');
  const checked = (compliance_status: string, days: number, list = {}) =>
    buildListOf(
      db,
      ann.id,
      [
        { compliance_status, compliance_checked_at: daysAgo(days) },
        { compliance_status: 'safe', compliance_checked_at: daysAgo(0) },
      ],
      { compliance_checked: true, ...list },
    );
  const lists = [
    await checked('safe', 31),
    await checked('dnc', 31),
    await checked('safe', 30),
    await checked('litigator', 31),
    await checked('safe', 31, { status: 'processing' }),
  ];
  await sweep();
  const found = await Promise.all(lists.map((id) => readList(db, id)));
  expect(found.map((list) => list.compliance_checked)).toEqual([false, false, true, true, true]);
  const leads = (await Promise.all(lists.map((id) => readLeads(db, id)))).map(([first]) => first);
  expect(leads.map((lead) => lead?.compliance_status)).toEqual([
    'not_checked',
    'not_checked',
    'safe',
    'litigator',
    'safe',
  ]);
  // As the data API answers it: still known as one that has run out.
  const row = LeadRow.parse({ ...leads[0], compliance_checked_at: leads[0]?.compliance_checked_at?.toISOString() });
  expect(hasExpiredVerdict(readLead(row))).toBe(true);
  expect(readLead(row).complianceReason).toMatch(/more than 31 days ago/);
});

test('surveys lose the center that Google gave, and go when no one has used them for 90 days', async () => {
  const ann = await product.user();
  const survey = (subject: string, area: object, used: number, started: number) => ({
    user_id: ann.id,
    sandbox: true,
    subject,
    label: 'Springfield, IL',
    area: JSON.stringify(area),
    frames: '[]',
    queries: ['dentist'],
    used_at: daysAgo(used),
    started_at: daysAgo(started),
  });
  const circle = { kind: 'circle', center: { latitude: 39.8, longitude: -89.6 }, meters: 5_000 };
  const made = await db
    .insertInto('app.surveys')
    .values([
      survey('old', { ...circle, located: true }, 1, 30),
      survey('new', { ...circle, located: true }, 1, 29),
      survey('drawn', circle, 1, 60),
      survey('unused', circle, 90, 120),
      survey('of a list', circle, 90, 120),
    ])
    .returning(['id', 'subject'])
    .execute();
  const listId = await buildList(db, ann.id);
  const ofList = made.find(({ subject }) => subject === 'of a list');
  await db
    .insertInto('app.list_surveys')
    .values({ list_id: listId, survey_id: ofList?.id ?? '' })
    .execute();
  expect(await sweep()).toBe(true);
  const left = await db.selectFrom('app.surveys').select(['subject', 'area']).where('user_id', '=', ann.id).execute();
  const { center: _, ...forgotten } = { ...circle, located: true };
  expect(Object.fromEntries(left.map(({ subject, area }) => [subject, area]))).toEqual({
    old: forgotten,
    new: { ...circle, located: true },
    drawn: circle,
    'of a list': circle,
  });
});

test('a list of their own file that is kept for good is neither archived, announced nor deleted', async () => {
  const ann = await product.user('ann');
  const active = await buildList(db, ann.id, { status: 'completed', retention_from: daysAgo(400), keep: true });
  const old = await buildList(db, ann.id, { ...archived(400), keep: true });
  await sweep();
  expect(mails).toEqual([]);
  expect((await readList(db, active)).lifecycle_status).toBe('active');
  expect(await exists(old)).toBe(true);
});

test('once it holds a value of Google, a list that was kept for good has its time from then on', async () => {
  const ann = await product.user('ann');
  const own = { business_name: 'Own', sources: { business_name: 'file', email: 'website' } };
  const open = { business_name: 'Open', sources: { business_name: 'file:open:3', phone: 'open:3' } };
  const listOf = (lead: object, more: object = {}) =>
    buildListOf(db, ann.id, [own, open, lead], {
      sandbox: false,
      status: 'completed',
      retention_from: daysAgo(400),
      keep: true,
      ...more,
    });
  const theirs = await listOf(own);
  const google = { ...own, phone: '+1 217-555-0101' };
  const back = { ...own, sources: { ...own.sources, 'extra.Notes': 'file:google' } };
  const lists = [await listOf(google), await listOf(back), await listOf(google, archived(400))];
  await sweep();
  expect(await readList(db, theirs)).toMatchObject({ keep: true, lifecycle_status: 'active' });
  const now = Date.now() - 60_000;
  for (const id of lists) {
    const { keep, retention_from, archived_at } = await readList(db, id);
    expect(keep).toBe(false);
    expect(retention_from.getTime()).toBeGreaterThan(now);
    if (archived_at) expect(archived_at.getTime()).toBeGreaterThan(now);
  }
  expect((await readList(db, lists[0] ?? '')).lifecycle_status).toBe('active');
});

test('files that were never started go after a week, rows with problems a month after the import', async () => {
  const ann = await product.user('ann');
  const file = async (values: { state: string; created_at?: Date; finished_at?: Date }) => {
    const { id } = await db
      .insertInto('app.imports')
      .values({ user_id: ann.id, name: 'list.csv', ...values })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('app.import_rows')
      .values([
        { import_id: id, row: 2, cells: '["a"]', keys: [] },
        { import_id: id, row: 3, cells: '["b"]', keys: [], problems: '[{"column":"Phone","value":"b","why":"no"}]' },
      ])
      .execute();
    return id;
  };
  const rowsOf = async (id: string) =>
    (await db.selectFrom('app.import_rows').select('row').where('import_id', '=', id).orderBy('row').execute()).map(
      ({ row }) => row,
    );
  const waits = await file({ state: 'ready', created_at: daysAgo(6) });
  const forgotten = await file({ state: 'ready', created_at: daysAgo(7) });
  const recent = await file({ state: 'completed', finished_at: daysAgo(29) });
  const over = await file({ state: 'completed', finished_at: daysAgo(30) });
  await sweep();
  expect(await Promise.all([waits, forgotten, recent, over].map(rowsOf))).toEqual([[2, 3], [], [3], []]);
  const kept = await db.selectFrom('app.imports').select('id').where('user_id', '=', ann.id).execute();
  expect(kept.map(({ id }) => id).sort()).toEqual([waits, recent, over].sort());
});

test('the head of the evidence is mailed again after a mail server that failed, once a day', async () => {
  const { id, email } = await product.admin();
  await db.insertInto('app.evidence_mails').values({ user_id: id }).execute();
  const heads = () => mails.filter(({ to, subject }) => to === email && subject.startsWith('Evidence:')).length;
  const failing = () => Promise.reject(new Error('the mail server is down'));
  expect(await sweep({ sendMail: failing })).toBe(true);
  expect(heads()).toBe(0);
  for (const swept of [false, false]) {
    expect(await sweep()).toBe(swept);
    expect(heads()).toBe(1);
  }
  await sql`update app.evidence_mails set mailed_at = mailed_at - interval '24 hours'`.execute(db);
  await sweep();
  expect(heads()).toBe(2);
});

test('a process that answers people as well may do all of it', async () => {
  const { signal } = new AbortController();
  await db
    .insertInto('app.evidence_mails')
    .values({ user_id: (await product.admin()).id })
    .execute();
  expect(await sweepDaily(product.deps, signal)).toBe(true);
});
