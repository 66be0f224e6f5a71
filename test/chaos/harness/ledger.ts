import { sql } from 'kysely';
import type { ProviderId } from '#contract/providers.ts';
import type { Db } from '#db/client.ts';
import type { SandboxProvider } from '#sandbox/wire.ts';
import type { Person, Site } from './site.ts';

/** What the meter calls a provider. */
export const METERED = { hunter_io: 'hunter', searchbug: 'searchbug' } as const satisfies Partial<
  Record<ProviderId, SandboxProvider>
>;
export type Metered = keyof typeof METERED;

export type Call = { id: string; subject: string; state: string; cost_micros: number; attempts: number };

/** All calls of a person to a provider. */
export const callsOf = (db: Db, { id }: Person, provider: Metered): Promise<Call[]> =>
  db
    .selectFrom('app.paid_calls')
    .select(['id', 'subject', 'state', 'cost_micros', 'attempts'])
    .where('user_id', '=', id)
    .where('provider', '=', provider)
    .execute();

/** What is booked for a person at a provider, in micro-dollars: by the ledger's sums, and by its rows. */
export async function bookedFor(db: Db, { id }: Person, provider: Metered): Promise<{ sums: number; rows: number }> {
  const { rows } = await sql<{ sums: number; rows: number }>`
    select
      (select coalesce(sum(cost_micros), 0) from app.ledger_days where user_id = ${id} and provider = ${provider})::bigint as sums,
      (select coalesce(sum(cost_micros), 0) from app.paid_calls where user_id = ${id} and provider = ${provider})::bigint as rows
  `.execute(db);
  return rows[0] ?? { sums: 0, rows: 0 };
}

/** What the provider has charged a person, in micro-dollars. */
export const chargedTo = ({ meter }: Site, { meterKey }: Person, provider: Metered): number =>
  meter.rows().find((row) => row.provider === METERED[provider] && row.key === meterKey)?.micros ?? 0;

/** How often the provider was asked about each subject with a person's key. A batch of numbers is several subjects. */
export function askedBy({ meter }: Site, { meterKey }: Person, provider: Metered): Map<string, number> {
  const asked = new Map<string, number>();
  for (const [batch, times] of meter.callsBySubject(METERED[provider], meterKey))
    for (const subject of batch.split(',')) asked.set(subject, (asked.get(subject) ?? 0) + times);
  return asked;
}

/** Ids of answered calls; `since` leaves out those that were answered more than a minute before. */
export async function answeredIds(db: Db, since = new Date(0)): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from app.paid_calls where state = 'answered' and settled_at > ${since}::timestamptz - interval '1 minute'
  `.execute(db);
  return rows.map((row) => row.id);
}
