import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyMigrations } from '#db/migrations/apply-migrations.ts';
import { backendMigrations, productMigrations } from '#db/migrations/our-migrations.ts';
import { freshDatabase } from '#test/database.ts';

const THIS = '20261123002000';
const clients: pg.Client[] = [];
afterAll(() => Promise.all(clients.map((client) => client.end())));

async function open(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  clients.push(client);
  return client;
}

/** Writes as the owner of the tables, whom no policy keeps from anything. */
function writer(client: pg.Client) {
  const id = async (sql: string, values: unknown[]): Promise<string> =>
    (await client.query<{ id: string }>(`${sql} returning id`, values)).rows[0]?.id ?? '';
  return {
    user: () => id('insert into auth.users (email) values ($1)', [`${randomUUID()}@people.example`]),
    list: (userId: string, sandbox: boolean | null, more = {}) => {
      const row = { user_id: userId, name: 'One kind', status: 'completed', sandbox, ...more };
      const names = Object.keys(row);
      return id(
        `insert into public.lists (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')})`,
        Object.values(row),
      );
    },
    run: (userId: string, listId: string | null, sandbox: boolean, kind = 'search', state = 'completed') =>
      id(
        `insert into app.runs (user_id, list_id, list_name, kind, state, input, sandbox) values ($1, $2, 'One kind', $3, $4, '{}', $5)`,
        [userId, listId, kind, state, sandbox],
      ),
    call: (userId: string, runId: string, sandbox: boolean, operation = 'search_page', subject = randomUUID()) =>
      id(
        `insert into app.paid_calls (idempotency_key, run_id, user_id, provider, operation, subject, state, estimate_micros,
           cost_micros, sandbox, sent_at)
         values ($1, $2, $3, $4, $5, $6, 'answered', 35000, 35000, $7, now())`,
        [randomUUID(), runId, userId, PROVIDERS[operation], operation, subject, sandbox],
      ),
    lead: (listId: string, position: number, values: Record<string, unknown>) => {
      const row = { list_id: listId, position, business_name: `Business ${position}`, ...values };
      const names = Object.keys(row);
      return id(
        `insert into public.leads (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')})`,
        Object.values(row),
      );
    },
  };
}
const PROVIDERS: Record<string, string> = {
  search_page: 'google_places',
  domain_search: 'hunter_io',
  phone_scrub: 'searchbug',
};

let db: pg.Client;
beforeAll(async () => {
  db = await open(await freshDatabase());
});

test.each([true, false])('a mixture cannot be stored (list of sandbox data: %s)', async (sandbox) => {
  const write = writer(db);
  const user = await write.user();
  const list = await write.list(user, sandbox);
  await expect(write.run(user, list, !sandbox)).rejects.toThrow('runs_list_id_fkey');
  const run = await write.run(user, list, sandbox);
  await expect(write.call(user, run, !sandbox)).rejects.toThrow('paid_calls_run_id_fkey');
  const call = await write.call(user, run, sandbox);
  const place = await write.run(user, null, !sandbox);
  const other = await write.call(user, place, !sandbox);

  for (const column of ['place_call_id', 'email_call_id', 'owner_call_id', 'compliance_call_id'])
    await expect(write.lead(list, 0, { [column]: other })).rejects.toThrow('would mix sandbox data and real data');
  const lead = await write.lead(list, 0, { place_call_id: call });
  const change = (sql: string, ...values: unknown[]) => db.query(sql, values);
  await expect(change('update public.leads set email_call_id = $1 where id = $2', other, lead)).rejects.toThrow(
    'would mix',
  );
  const undecided = await write.list(user, null);
  await expect(change('update public.leads set list_id = $1 where id = $2', undecided, lead)).rejects.toThrow(
    'would mix',
  );

  await expect(change('update public.lists set sandbox = not sandbox where id = $1', list)).rejects.toThrow(
    'keeps to it',
  );
  await expect(change('update public.lists set sandbox = null where id = $1', list)).rejects.toThrow('keeps to it');
  await expect(change('update app.runs set sandbox = not sandbox where id = $1', place)).rejects.toThrow('keeps to it');
  await expect(change('update app.paid_calls set sandbox = not sandbox where id = $1', call)).rejects.toThrow(
    'keeps to it',
  );
  await expect(change('update app.runs set list_id = $1 where id = $2', list, place)).rejects.toThrow(
    'runs_list_id_fkey',
  );

  const remember = `insert into app.answers (user_id, provider, operation, subject, sandbox, answer, paid_call_id)
    values ($1, 'google_places', 'search_page', 'one', $2, '{}', $3)`;
  await expect(change(remember, user, !sandbox, call)).rejects.toThrow('answers_paid_call_id_fkey');
  await change(remember, user, sandbox, call);
  const recall = `insert into app.recalls (run_id, operation, subject, user_id, provider, sandbox, paid_call_id, saved_micros)
    values ($1, 'search_page', 'one', $2, 'google_places', $3, $4, 0)`;
  await expect(change(recall, place, user, !sandbox, call)).rejects.toThrow('recalls_paid_call_id_fkey');
  await expect(change(recall, place, user, sandbox, call)).rejects.toThrow('recalls_run_id_fkey');

  // A list that goes leaves its runs, with what they cost.
  await change('delete from public.lists where id = $1', list);
  const { rows } = await db.query('select list_id, sandbox from app.runs where id = $1', [run]);
  expect(rows).toEqual([{ list_id: null, sandbox }]);
});

test('the first run decides, whoever writes it, and the account can still be deleted', async () => {
  const write = writer(db);
  const user = await write.user();
  const list = await write.list(user, null);
  const run = await write.run(user, list, true);
  await write.lead(list, 0, { place_call_id: await write.call(user, run, true) });
  await expect(write.run(user, list, false)).rejects.toThrow('runs_list_id_fkey');
  expect((await db.query('select sandbox from public.lists where id = $1', [list])).rows).toEqual([{ sandbox: true }]);
  await db.query('delete from auth.users where id = $1', [user]);
  expect((await db.query('select from app.paid_calls where user_id = $1', [user])).rows).toEqual([]);
});

test('what older versions have mixed is sorted out by the upgrade, and no money is forgotten', async () => {
  const client = await open(await freshDatabase('empty'));
  await applyMigrations(client, 'backend_migrations', backendMigrations());
  const migrations = productMigrations();
  const before = migrations.filter((migration) => migration.version < THIS);
  await applyMigrations(client, 'supabase_migrations', before);
  const write = writer(client);
  const user = await write.user();

  // A sandbox search, then real enrichment and a sandbox check that waits: the list says what the last run was.
  const invented = await write.list(user, false, {
    lead_count: 1,
    tier2_complete: true,
    completeness: 65,
    has_emails: true,
  });
  const found = await write.call(user, await write.run(user, invented, true), true);
  const paid = await write.call(user, await write.run(user, invented, false, 'enrichment'), false, 'domain_search');
  await write.lead(invented, 0, {
    place_call_id: found,
    email: 'ann@real.example',
    email_call_id: paid,
    owner_name: 'Ann',
    owner_call_id: paid,
  });

  // A real search with invented verdicts, and an invented business that a later search added.
  const real = await write.list(user, true, { lead_count: 2, compliance_checked: true, status: 'processing' });
  const search = await write.call(user, await write.run(user, real, false), false);
  const check = await write.call(user, await write.run(user, real, true, 'compliance'), true, 'phone_scrub');
  const verdict = {
    phone: '+1 512-555-0101',
    compliance_status: 'safe',
    compliance_checked_at: new Date(),
    phone_type: 'mobile',
  };
  await write.lead(real, 0, { place_call_id: search, ...verdict, compliance_call_id: check });
  await write.lead(real, 1, { place_call_id: found, place_id: 'invented' });
  await write.run(user, real, true, 'enrichment', 'queued');
  const fine = await write.list(user, true, { lead_count: 1, tier2_complete: true, completeness: 65 });
  await write.lead(fine, 0, { place_call_id: found, email: 'ben@fine.example' });
  const sums = () =>
    client.query('select sandbox, sum(cost_micros) as micros from app.usage_days group by 1 order by 1');
  const spent = (await sums()).rows;
  const fineBefore = (await client.query('select * from public.lists where id = $1', [fine])).rows;

  await applyMigrations(client, 'supabase_migrations', migrations);

  const lists = await client.query(
    `select id, sandbox, lead_count, tier2_complete, completeness, has_emails, has_contacts, compliance_checked, status
     from public.lists where id = any ($1) order by sandbox desc`,
    [[invented, real]],
  );
  expect(lists.rows).toMatchObject([
    {
      id: invented,
      sandbox: true,
      lead_count: 1,
      tier2_complete: false,
      completeness: 45,
      has_emails: false,
      has_contacts: false,
    },
    { id: real, sandbox: false, lead_count: 1, compliance_checked: false, status: 'completed' },
  ]);
  const leads = await client.query(
    'select * from public.leads where list_id = any ($1) order by email_call_id, phone',
    [[invented, real]],
  );
  expect(leads.rows).toHaveLength(2);
  for (const lead of leads.rows)
    expect(lead).toMatchObject({
      ...{ email: null, owner_name: null, email_call_id: null, owner_call_id: null },
      ...{ compliance_status: 'not_checked', compliance_checked_at: null, compliance_call_id: null, phone_type: null },
    });
  const runs = await client.query<{ cancelled: boolean; list_id: string | null; sandbox: boolean }>(
    'select list_id, sandbox, cancel_requested_at is not null as cancelled from app.runs order by created_at',
  );
  expect(runs.rows).toEqual([
    { list_id: invented, sandbox: true, cancelled: false },
    { list_id: null, sandbox: false, cancelled: false },
    { list_id: real, sandbox: false, cancelled: false },
    { list_id: null, sandbox: true, cancelled: false },
    { list_id: null, sandbox: true, cancelled: true },
  ]);
  expect((await sums()).rows).toEqual(spent);
  expect((await client.query('select * from public.lists where id = $1', [fine])).rows).toEqual(fineBefore);
});
