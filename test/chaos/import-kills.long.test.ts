import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type DuplicateChoice, startImportEndpoint, undoImportEndpoint } from '#contract/imports/imports.ts';
import { throughOutage } from '#server/lib/through-outage.ts';
import { uploadFile } from '#test/imports.ts';
import { buildList } from '#test/lists.ts';
import type { TestUser } from '#test/product.ts';
import { chanceOf } from './harness/chance.ts';
import { createFleet, type Fleet } from './harness/fleet.ts';
import { type Site, startSite } from './harness/site.ts';

const ROWS = 9_000;
const KILLS = 3;
/** Before a kill, from when rows are on their way. */
const LONGEST_PAUSE_MS = 250;

let site: Site;
let fleet: Fleet;
beforeAll(async () => {
  site = await startSite(undefined);
  fleet = createFleet(site);
});
afterAll(() => site.stop());

const progress = async (id: string) =>
  throughOutage(() => site.db.selectFrom('app.imports').selectAll().where('id', '=', id).executeTakeFirstOrThrow());

const phoneOf = (at: number) => `312-${String(2_000_000 + at).replace(/(\d{3})/, '$1-')}`;

/** Of four rows, two are new. One is a lead of theirs, and one the row before it. Each brings an email. */
const fileOf = () => {
  const lines = Array.from({ length: ROWS }, (_, at) =>
    [`Invented ${at}`, phoneOf(at % 4 === 3 ? at - 1 : at), at % 4 === 2 ? '' : `desk@invented-${at}.example`, at].join(
      ',',
    ),
  );
  return `Company,Phone,Mail,Number\n${lines.join('\n')}\n`;
};

/** A list of leads without emails: one for every fourth row. */
async function buildKnown(user: TestUser): Promise<string> {
  const list = await buildList(site.db, user.id, { status: 'completed', sandbox: false, lead_count: ROWS / 4 });
  await sql`
    insert into public.leads (list_id, position, business_name, phone)
    select ${list}::uuid, at, 'Known ' || at, '+1 312-' || regexp_replace((2000001 + 4 * at)::text, '(\\d{3})', '\\1-')
    from generate_series(0, ${ROWS / 4 - 1}::integer) as at`.execute(site.db);
  return list;
}

/** All of someone's lists and leads; without when a list was changed last. */
const digestOf = (user: TestUser) =>
  throughOutage(async () => {
    const { rows } = await sql<{ digest: string | null }>`
      select md5(string_agg((to_jsonb(list) - 'updated_at')::text || coalesce(leads.text, ''), '' order by list.id)) as digest
      from public.lists as list left join lateral (
        select string_agg(to_jsonb(lead)::text, '' order by lead.id) as text from public.leads as lead where lead.list_id = list.id
      ) as leads on true
      where list.user_id = ${user.id}`.execute(site.db);
    return rows[0]?.digest;
  });

async function untilCompleted(id: string, random: ReturnType<typeof chanceOf>): Promise<void> {
  await fleet.resize(2);
  await fleet.ready();
  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = await progress(id);
    if (before.state === 'completed') break;
    await vi.waitFor(async () => expect((await progress(id)).done).toBeGreaterThan(before.done), {
      timeout: 180_000,
      interval: 10,
    });
    await sleep(random.below(LONGEST_PAUSE_MS));
    await fleet.kill('all');
    // No one is left to hold it: to let the lease run out now is the same as to wait for it.
    await sql`update app.imports set lease_expires_at = now() where state = 'running'`.execute(site.db);
  }
  await vi.waitFor(async () => expect((await progress(id)).state).toBe('completed'), {
    timeout: 300_000,
    interval: 100,
  });
}

test.each<[DuplicateChoice, { added: number; updated: number; skipped: number }]>([
  ['add', { added: ROWS, updated: 0, skipped: 0 }],
  ['skip', { added: ROWS / 2, updated: 0, skipped: ROWS / 2 }],
  ['update', { added: ROWS / 2, updated: ROWS / 2, skipped: 0 }],
])(
  `${KILLS} times kill -9 during an import: no row is lost, and none is there twice, and a cut while it is taken back leaves all or nothing (%s)`,
  {
    timeout: 1_200_000,
  },
  async (duplicates, expected) => {
    const random = chanceOf(`import kills, ${duplicates}`);
    const user = await site.office.user('importer');
    const known = await buildKnown(user);
    const before = await digestOf(user);
    const { importId: id } = await uploadFile(site.office, user, fileOf());
    await user.call(startImportEndpoint, { duplicates, listName: 'Killed' }, { id });
    await untilCompleted(id, random);
    expect(await progress(id)).toMatchObject({ done: ROWS, ...expected });
    const { rows } = await sql`
    select count(*)::integer as leads, count(distinct import_row)::integer as rows, count(distinct extra ->> 'Number')::integer as numbers
    from public.leads where import_id = ${id}`.execute(site.db);
    expect(rows[0]).toEqual({ leads: expected.added, rows: expected.added, numbers: expected.added });
    const { rows: filled } = await sql<{ known: number; fresh: number; noted: number }>`
    select
      (select count(*) from public.leads where list_id = ${known}
        and email = 'desk@invented-' || (4 * position + 1) || '.example')::integer as known,
      (select count(*) from public.leads where import_id = ${id} and import_row % 4 = 0
        and email = 'desk@invented-' || (import_row - 1) || '.example')::integer as fresh,
      (select count(*) from app.import_updates where import_id = ${id})::integer as noted`.execute(site.db);
    const isUpdate = duplicates === 'update';
    expect(filled[0]).toEqual({
      known: isUpdate ? ROWS / 4 : 0,
      fresh: isUpdate ? ROWS / 4 : 0,
      noted: isUpdate ? ROWS / 2 : 0,
    });
    await takeBack(user, id, random);
    expect(await digestOf(user)).toBe(before);
    expect(fleet.starts).toBeGreaterThan(2);
  },
);

/** Takes an import back, whose connection is cut twice in the midst of it, as when its process is killed. */
async function takeBack(user: TestUser, id: string, random: ReturnType<typeof chanceOf>): Promise<void> {
  const whole = await digestOf(user);
  const undo = () => user.call(undoImportEndpoint, undefined, { id });
  for (let cut = 0; cut < 2; cut += 1) {
    const undoing = undo().then(
      () => true,
      () => false,
    );
    await vi.waitFor(async () => expect(await cutUndoing(random.below(20))).toBe(true), {
      timeout: 60_000,
      interval: 2,
    });
    expect(await undoing).toBe(false);
    // All of it, or nothing.
    expect(await digestOf(user)).toBe(whole);
  }
  await undo();
  expect(await progress(id)).toMatchObject({ state: 'undone' });
}

/** Cuts the connection on which leads are put back or removed, some ms after it was seen. Returns whether there was one. */
async function cutUndoing(afterMs: number): Promise<boolean> {
  const undoing = sql`
    from pg_stat_activity where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()
      and query ~ '(update|delete from) public.leads as lead|delete from "app"."import_updates"'`;
  const { rows } = await sql`select ${undoing}`.execute(site.db);
  if (rows.length === 0) return false;
  await sleep(afterMs);
  const { rows: cut } = await sql`select pg_terminate_backend(pid) ${undoing}`.execute(site.db);
  return cut.length > 0;
}
