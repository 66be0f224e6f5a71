import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import { prices } from '#providers/prices.ts';
import { buildList, buildListOf } from './lists.ts';

/** Someone whose work is replayed; each call resolves when its run has ended. */
export type Actor = {
  userId: string;
  search(listId: string, query: string): Promise<unknown>;
  enrich(listId: string): Promise<unknown>;
  check(listId: string): Promise<unknown>;
};
export type Replay = { days: number; leadsADay: number; overlap: number; sandbox: boolean };

/** Money in micro-dollars. */
export type Figures = { spent: number; saved: number; withoutMemory: number; paidTwice: number };

const AREA_CODES = ['217', '512', '303', '614', '918'];
const TRADES = ['plumber', 'bakery', 'florist', 'dentist', 'barber', 'gym', 'tailor', 'optician', 'butcher', 'notary'];

/** Days of work of several people at once: each day a list with some leads of the days before, a search, an enrichment and a check. */
export async function replay(db: Db, actors: readonly Actor[], options: Replay): Promise<Figures> {
  for (let day = 0; day < options.days; day += 1) {
    await Promise.all(actors.map((actor, person) => oneDay(db, actor, person, day, options)));
    await aDayGoesBy(db);
  }
  return figuresOf(db);
}

async function oneDay(db: Db, actor: Actor, person: number, day: number, { leadsADay, overlap, sandbox }: Replay) {
  const old = day === 0 ? 0 : Math.round(leadsADay * overlap);
  const fresh = leadsADay - old;
  const numbers = Array.from({ length: leadsADay }, (_, i) =>
    i < old ? (day - 1) * fresh + i : day * fresh + i - old,
  );
  const leads = numbers.map((n) => ({
    website: `https://business-${person}-${n}.example/`,
    phone: `+1 ${AREA_CODES[person % AREA_CODES.length]}-555-${lineNumber(n)}`,
  }));
  const listId = await buildListOf(db, actor.userId, leads, { sandbox });
  await Promise.all([actor.enrich(listId), actor.check(listId)]);
  // Two days of five look for what has been looked for before.
  const trade = TRADES[(day % 5 < 2 ? 0 : day) % TRADES.length] ?? '';
  await actor.search(await buildList(db, actor.userId), trade);
}

/** Numbers that end in 97 to 99 get no verdict in the sandbox, so a later day rightly checks them again. */
const lineNumber = (n: number) => String(Math.floor(n / 97) * 100 + (n % 97)).padStart(4, '0');

/** Makes everything that has a time one day older. */
async function aDayGoesBy(db: Db): Promise<void> {
  await sql`update app.answers set answered_at = answered_at - interval '1 day', expires_at = expires_at - interval '1 day'`.execute(
    db,
  );
  await sql`update app.paid_calls set settled_at = settled_at - interval '1 day'`.execute(db);
  await sql`
    update public.leads set created_at = created_at - interval '1 day',
      compliance_checked_at = compliance_checked_at - interval '1 day'
  `.execute(db);
}

async function figuresOf(db: Db): Promise<Figures> {
  const { rows } = await sql<{ spent: number; saved: number }>`
    select sum(cost_micros)::bigint as spent, sum(saved_micros)::bigint as saved from app.ledger_days
  `.execute(db);
  const { rows: twice } = await sql<{ paid: number }>`
    select coalesce(sum(calls - 1), 0)::integer as paid from (
      select count(*) as calls from app.paid_calls where cost_micros > 0 group by user_id, operation, subject
    ) as subjects
  `.execute(db);
  const [sums] = rows;
  return {
    spent: sums?.spent ?? 0,
    saved: sums?.saved ?? 0,
    withoutMemory: await priceWithoutMemory(db),
    paidTwice: twice[0]?.paid ?? 0,
  };
}

/** What the same runs cost someone who remembers nothing, from what they did: not from what was remembered. */
async function priceWithoutMemory(db: Db): Promise<number> {
  const { rows } = await sql<{ micros: number }>`
    select sum(case run.kind
      when 'search' then ${prices.googleLocateMicros}::bigint + (run.totals ->> 'pages')::bigint * ${prices.googleSearchPageMicros}::bigint
      when 'compliance' then (run.totals ->> 'numbers')::bigint * ${prices.searchbugNumberMicros}::bigint
      else (
        select coalesce(sum(call.cost_micros), 0)
        from public.leads as lead join app.paid_calls as call
          on call.user_id = run.user_id and call.operation = 'domain_search'
          and lead.website = 'https://' || call.subject || '/'
        where lead.list_id = run.list_id
      ) end)::bigint as micros
    from app.runs as run where run.state = 'completed'
  `.execute(db);
  return rows[0]?.micros ?? 0;
}
