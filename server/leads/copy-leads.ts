import { sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';
import { isChosen, type SettledChoice } from './chosen-leads.ts';
import { differing, fillFrom } from './fill-from.ts';
import { type Pair, pairSame } from './same-business.ts';

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
 * - `copied`: leads that were not in the other list before.
 * - `filled`: of the others, those that brought something to the lead that is there.
 * - `differing`: the leads of which not all that is known is in the other list now.
 * - `pairs`: those that were in the other list before. `copies`: the others, and what is in the other list for them now.
 */
export type Copied = { copied: number; filled: number; differing: string[]; pairs: Pair[]; copies: Pair[] };

/** Copies the chosen leads of a list behind those of another, which is locked. Where a business is there already, its lead is filled in. */
export async function copyLeads(tx: Tx, from: string, to: string, choice: SettledChoice): Promise<Copied> {
  const pairs = await pairSame(tx, from, to, choice);
  const { rows } = await sql<{ copies: Pair[]; missing: string[] }>`
    with fresh as materialized (
      select lead.id, last.position + row_number() over (order by lead.position) as position
      from public.leads as lead,
        (select coalesce(max(position), -1) as position from public.leads where list_id = ${to}) as last
      where ${isChosen(from, choice)}
        and not exists (select from unnest(${pairs.map(({ here }) => here)}::uuid[]) as pair (here) where pair.here = lead.id)
    ), added as (
      insert into public.leads (list_id, position, ${sql.join(COPIED.map((column) => sql.ref(column)))})
      select ${to}::uuid, fresh.position, ${sql.join(COPIED.map((column) => sql.ref(`lead.${column}`)))}
      from fresh join public.leads as lead on lead.id = fresh.id
      order by fresh.position
      on conflict do nothing
      returning id, position
    )
    select (select coalesce(json_agg(json_build_object('here', fresh.id, 'there', added.id)), '[]')
        from fresh join added using (position)) as copies,
      array(select id::text from fresh where position not in (select position from added)) as missing
  `.execute(tx);
  const { copies = [], missing = [] } = rows[0] ?? {};
  const filled = await fillFrom(tx, pairs);
  return { copied: copies.length, filled, differing: [...missing, ...(await differing(tx, pairs))], pairs, copies };
}

/** Notes that leads which go, or are archived, live on in those of another list, so that undoing the file of these does not lose them. */
export async function noteJoined(tx: Tx, pairs: readonly Pair[]): Promise<void> {
  await handOverFilled(tx, pairs);
  await sql`
    insert into app.joined_leads (lead_id)
    select distinct lead.id
    from unnest(${pairs.map(({ here }) => here)}::uuid[], ${pairs.map(({ there }) => there)}::uuid[]) as pair (here, there)
      join public.leads as came on came.id = pair.here join public.leads as lead on lead.id = pair.there
    where lead.import_id is not null and came.import_id is distinct from lead.import_id
    on conflict do nothing
  `.execute(tx);
}

const plainly = (value: string) => sql`trim(trailing '/' from lower(btrim(${sql.ref(value)})))`;

/** What a file filled in a lead, and the lead that joins it has as well, is what undoing the file leaves. */
async function handOverFilled(tx: Tx, pairs: readonly Pair[]): Promise<void> {
  await sql`
    update app.import_updates as filled
    set before = filled.before || theirs.cells
        || jsonb_build_object('sources', coalesce(filled.before -> 'sources', '{}') - theirs.columns || theirs.sources),
      after = case when filled.after ? 'extra'
        then filled.after || jsonb_build_object('extra', (filled.after -> 'extra') - theirs.headers) else filled.after end
    from (
      select same.import_id, same.row, coalesce(array_agg(header) filter (where header is not null), '{}') as headers,
        coalesce(array_agg(name) filter (where name is not null), '{}') as columns,
        coalesce(jsonb_object_agg(name, value) filter (where name is not null), '{}') as cells,
        coalesce(jsonb_object_agg(name, source) filter (where source is not null), '{}') as sources
      from unnest(${pairs.map(({ here }) => here)}::uuid[], ${pairs.map(({ there }) => there)}::uuid[]) as pair (here, there)
        join public.leads as came on came.id = pair.here
        join app.import_updates as same on same.lead_id = pair.there
        cross join lateral (
          select given.name, came.sources ->> given.name as source, cell.value, null as header
          from jsonb_each_text(same.after - 'extra') as given (name, value), jsonb_each_text(to_jsonb(came)) as cell (name, value)
          where cell.name = given.name and (${plainly('cell.value')} = ${plainly('given.value')}
            or (given.name = 'phone' and app.phone_key(cell.value) = app.phone_key(given.value)))
          union all
          select null, null, null, cell.header from jsonb_each_text(same.after -> 'extra') as cell (header, value)
          where came.extra ->> cell.header = cell.value
        ) as one
      group by same.import_id, same.row
    ) as theirs
    where filled.import_id = theirs.import_id and filled.row = theirs.row
  `.execute(tx);
}

/** Hands what undoing files needs to know of leads to those that stand for them in another list, before they go. */
export async function carryUndoing(tx: Tx, copies: readonly Pair[]): Promise<void> {
  const pairs = sql`
    unnest(${copies.map(({ here }) => here)}::uuid[], ${copies.map(({ there }) => there)}::uuid[]) as pair (here, there)`;
  await sql`update app.import_updates set lead_id = pair.there from ${pairs} where lead_id = pair.here`.execute(tx);
  await sql`update app.joined_leads set lead_id = pair.there from ${pairs} where lead_id = pair.here`.execute(tx);
}
