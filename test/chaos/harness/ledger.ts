import { sql } from 'kysely';
import { expect } from 'vitest';
import { settleCallsEndpoint } from '#contract/money/paid-calls.ts';
import type { ProviderId } from '#contract/providers.ts';
import type { Db } from '#db/connection/client.ts';
import { prices } from '#providers/prices.ts';
import type { SandboxProvider } from '#sandbox/wire.ts';
import { PAGE_SIZE } from '#server/features/search/search-input.ts';
import { chunks } from '#server/lib/chunks.ts';
import type { Person, Site } from './site.ts';

/** What the meter calls a provider. */
export const METERED = {
  google_places: 'google',
  hunter_io: 'hunter',
  searchbug: 'searchbug',
} as const satisfies Partial<Record<ProviderId, SandboxProvider>>;
export type Metered = keyof typeof METERED;

export type Call = {
  id: string;
  run_id: string | null;
  subject: string;
  state: string;
  cost_micros: number;
  sent_at: Date | null;
  settled_at: Date | null;
};

/** All calls of a person to a provider. */
export const callsOf = (db: Db, { id }: Person, provider: Metered): Promise<Call[]> =>
  db
    .selectFrom('app.paid_calls')
    .select(['id', 'run_id', 'subject', 'state', 'cost_micros', 'sent_at', 'settled_at'])
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

/** How often Google was paid with a person's key for each page of a query, in the ledger's words, and for each location. */
export function pagesAskedBy({ meter }: Site, { meterKey }: Person): Map<string, number> {
  const asked = new Map<string, number>();
  for (const [request, times] of meter.callsBySubject('google', meterKey)) {
    const [text = '', , offset, micros] = request.split('|');
    if (Number(micros) === prices.googleCountPageMicros) continue;
    const page = Number(micros) === prices.googleLocateMicros ? '' : `, page ${Number(offset) / PAGE_SIZE + 1}`;
    const subject = `${text.toLowerCase()}${page}`;
    asked.set(subject, (asked.get(subject) ?? 0) + times);
  }
  return asked;
}

/** Ids of answered calls; `since` leaves out those that were answered more than a minute before. */
export async function answeredIds(db: Db, since = new Date(0)): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from app.paid_calls where state = 'answered' and settled_at > ${since}::timestamptz - interval '1 minute'
  `.execute(db);
  return rows.map((row) => row.id);
}

/**
 * Someone compares what was lost with the provider's statement, which says how often it has charged a subject. Then nothing is left
 * that is not the same.
 */
export async function settle(
  site: Site,
  person: Person,
  provider: Metered,
  calls: readonly Call[],
  isCharged: (call: Call) => boolean,
): Promise<void> {
  const lost = calls.filter((call) => call.state === 'uncertain');
  for (const charged of [true, false]) {
    const ids = lost.filter((call) => isCharged(call) === charged).map((call) => call.id);
    for (const call_ids of chunks(ids, 1_000)) await person.call(settleCallsEndpoint, { call_ids, charged });
  }
  const charged = chargedTo(site, person, provider);
  expect(await bookedFor(site.db, person, provider)).toEqual({ sums: charged, rows: charged });
}
