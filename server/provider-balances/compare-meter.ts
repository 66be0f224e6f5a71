import { sql } from 'kysely';
import type { Meter, MeteredProvider } from '#contract/money/meters.ts';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';

/** Balances are told in cents: two of them can be off by one together. */
const CENT_MICROS = 10_000;
const MILLION = 1_000_000;

export type MeterKey = { userId: string; provider: MeteredProvider; fingerprint: string; sandbox: boolean };

type Reading = { value: number; period: string | null; read_at: Date };
type Booked = { booked: number; uncertain: number };

/** The last two readings under a key beside the ledger; undefined before the first one. */
export async function compareMeter(db: Db | Tx, key: MeterKey): Promise<Meter | undefined> {
  const { rows } = await sql<Reading>`
    select value, period, read_at from app.meter_readings
    where user_id = ${key.userId} and provider = ${key.provider} and fingerprint = ${key.fingerprint} order by id desc limit 2
  `.execute(db);
  const [last, before] = rows;
  if (!last) return undefined;
  const { provider } = key;
  const base = { provider, readAt: last.read_at.toISOString(), metered: 0, booked: 0, uncertain: 0 };
  if (!before) return { ...base, state: 'first', since: null };
  const since = before.read_at.toISOString();
  const metered = provider === 'hunter_io' ? (last.value - before.value) / MILLION : before.value - last.value;
  const isReset = last.period !== before.period || metered < 0;
  const { booked, uncertain } = await bookedBetween(db, key, before.read_at, last.read_at);
  const tolerance = provider === 'searchbug' ? CENT_MICROS : 0;
  const agrees = metered >= booked - tolerance && metered <= booked + uncertain + tolerance;
  return { ...base, state: isReset ? 'reset' : agrees ? 'agrees' : 'drifts', since, metered, booked, uncertain };
}

/** No call was under way at either reading, so a call lies between them when it was sent between them. */
async function bookedBetween(
  db: Db | Tx,
  { userId, provider, sandbox }: MeterKey,
  from: Date,
  to: Date,
): Promise<Booked> {
  const amount = provider === 'hunter_io' ? sql`(cost_micros > 0)::integer` : sql`cost_micros`;
  const { rows } = await sql<Booked>`
    select coalesce(sum(${amount}) filter (where state = 'answered'), 0)::bigint as booked,
      coalesce(sum(${amount}) filter (where state = 'uncertain'), 0)::bigint as uncertain
    from app.paid_calls
    where user_id = ${userId} and sandbox = ${sandbox} and provider = ${provider} and state <> 'planned'
      and coalesce(sent_at, planned_at) > ${from} and coalesce(sent_at, planned_at) <= ${to}
  `.execute(db);
  return rows[0] ?? { booked: 0, uncertain: 0 };
}
