import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase } from '#test/databases/database.ts';

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

test('the first run decides, no matter who writes it, and the account can still be deleted', async () => {
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
