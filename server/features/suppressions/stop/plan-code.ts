import { sql } from 'kysely';
import { STOP_CODE_MINUTES, type StopKind } from '#contract/calling/stop-page.ts';
import { MOST_STOP_REQUESTS } from '#contract/calling/suppression-sources.ts';
import { STOP_REQUEST_DAYS } from '#contract/work/retention.ts';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import { AppError } from '#server/lib/app-error.ts';
import { MOST_OF_NETWORK, SENT_A_DAY, SENT_AN_HOUR, TEXTS_A_DAY } from './stop-limits.ts';

/** Who waits for an administrator. `key`: as in app.suppressions. `network`: from where it was asked, as a fingerprint. */
export type Waiting = { key: string; network: string };

/** What a stranger asked about. `contact`: its fingerprint. `reachable`: whether a code could go there. */
export type Asked = Waiting & { kind: StopKind; contact: string; reachable: boolean };

/** `ask` names the request to the stranger. `sends`: whether a code has to be sent. */
type Plan = { ask: string; sends: boolean };

type Sent = { hour: number; day: number; texts: number; live: string | null };

/**
 * Writes a request down, and decides what becomes of it. One after the other, so that limits hold for requests at one time.
 * @throws CONFLICT where neither a code nor an administrator could confirm it
 */
export async function planCode(tx: Tx, { kind, key, network, contact, reachable }: Asked): Promise<Plan> {
  await sql`select pg_advisory_xact_lock(hashtextextended('stop codes', 0))`.execute(tx);
  const sent = await readSent(tx, contact);
  const sends =
    reachable && sent.hour < SENT_AN_HOUR && sent.day < SENT_A_DAY && (kind === 'email' || sent.texts < TEXTS_A_DAY);
  const { rows } = await sql<{ id: string }>`
    insert into app.stop_codes (id, contact, code_id, texted, expires_at)
    select one.id, ${contact}, case when ${sends} then one.id else ${sent.live}::uuid end, ${sends && kind === 'phone'},
      coalesce((select expires_at from app.stop_codes where not ${sends} and id = ${sent.live}::uuid),
        now() + ${STOP_CODE_MINUTES} * interval '1 minute')
    from (select gen_random_uuid() as id) as one
    returning id
  `.execute(tx);
  if (!sends && !sent.live) await requireRoom(tx, { key, network });
  if (!sends) await askAdministrator(tx, { key, network });
  return { ask: rows[0]?.id ?? '', sends };
}

/** What was sent to a contact before, and to everyone by text. `live`: whose code still works. */
async function readSent(tx: Tx, contact: string): Promise<Sent> {
  const { rows } = await sql<Sent>`
    select count(*) filter (where contact = ${contact} and asked_at > now() - interval '1 hour')::integer as hour,
      count(*) filter (where contact = ${contact})::integer as day,
      count(*) filter (where texted)::integer as texts,
      (array_agg(id order by asked_at desc) filter (where contact = ${contact} and expires_at > now()))[1] as live
    from app.stop_codes
    where code_id = id and asked_at > now() - interval '1 day' and (contact = ${contact} or texted)
  `.execute(tx);
  return rows[0] ?? { hour: 0, day: 0, texts: 0, live: null };
}

/** Asked before it is known who is held back already, so that the answer does not tell. What waits behind an entry for long takes no room. */
async function requireRoom(tx: Tx, { key, network }: Waiting): Promise<void> {
  const { rows } = await sql<{ all: number; ours: number; waits: boolean }>`
    select count(*)::integer as all, count(*) filter (where network = ${network})::integer as ours,
      coalesce(bool_or(key = ${key}), false) as waits
    from app.stop_requests where asked_at > now() - ${STOP_REQUEST_DAYS} * interval '1 day' or key = ${key}
  `.execute(tx);
  const { all, ours, waits } = rows[0] ?? { all: 0, ours: 0, waits: false };
  if (waits || (all < MOST_STOP_REQUESTS && ours < MOST_OF_NETWORK)) return;
  const whose = all < MOST_STOP_REQUESTS ? ' from your network' : '';
  throw new AppError(
    'CONFLICT',
    `Your request was not saved: too many requests${whose} are waiting for an administrator. Ask again tomorrow, or tell the people who contact you.`,
  );
}

/**
 * Has an administrator decide. Those who were erased are held back for good. Those who are on the list need a decision once they are taken off it.
 * - One whose code did not arrive has been told of an administrator already, so the list is never full for them.
 */
export async function askAdministrator(db: Db, { key, network }: Waiting): Promise<void> {
  await sql`
    insert into app.stop_requests (key, network)
    select ${key}, ${network}
    where not app.is_erased(array[${key}])
    on conflict (key) do nothing
  `.execute(db);
}
