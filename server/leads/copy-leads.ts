import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';
import { isChosen, type SettledChoice } from './chosen-leads.ts';

/** `created_at` goes along: how long a provider's data may be kept counts from when it came. */
const COPIED = [
  'business_name',
  'address',
  'phone',
  'website',
  'email',
  'email_confidence',
  'owner_name',
  'owner_title',
  'email_verified',
  'email_status',
  'email_checked_at',
  'phone_type',
  'compliance_status',
  'compliance_reason',
  'compliance_checked_at',
  'place_id',
  'latitude',
  'longitude',
  'service_area',
  'place_call_id',
  'email_call_id',
  'email_check_call_id',
  'owner_call_id',
  'compliance_call_id',
  'sources',
  'site_visit',
  'extra',
  'originals',
  'import_id',
  'import_row',
  'open_id',
  'created_at',
];

/**
 * Copies the chosen leads of a list behind those of another, which is locked. Returns how many were not in it before.
 * - A business that is in it already is known by its place id. Where one of the two has none, by its phone number, or by domain and name.
 */
export async function copyLeads(tx: Tx, from: string, to: string, choice: SettledChoice): Promise<number> {
  const columns = sql.join(COPIED.map((column) => sql.ref(column)));
  const { numAffectedRows = 0n } = await sql`
    with there as materialized (${keysOf(sql<boolean>`lead.list_id = ${to}`)}),
    here as materialized (${keysOf(isChosen(from, choice))}),
    twice as materialized (
      select here.id from here join there on here.phone = there.phone where here.place_id is null or there.place_id is null
      union
      select here.id from here join there on here.host = there.host and here.company = there.company
      where here.place_id is null or there.place_id is null
    )
    insert into public.leads (list_id, position, ${columns})
    select ${to}::uuid, last.position + row_number() over (order by lead.position), ${sql.join(COPIED.map((column) => sql.ref(`lead.${column}`)))}
    from public.leads as lead,
      (select coalesce(max(position), -1) as position from public.leads where list_id = ${to}) as last
    where ${isChosen(from, choice)} and lead.id not in (select id from twice)
    order by lead.position
    on conflict do nothing
  `.execute(tx);
  return Number(numAffectedRows);
}

/** By what leads are told apart. */
const keysOf = (which: RawBuilder<boolean>) => sql`
  select lead.id, lead.place_id, app.phone_key(lead.phone) as phone, app.host_key(lead.website) as host,
    app.company_key(lead.business_name) as company
  from public.leads as lead where ${which}`;
