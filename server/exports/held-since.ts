import { sql } from 'kysely';
import { EXPORTS_BUCKET } from '#contract/work/exports/export-archive.ts';
import type { Db } from '#db/connection/client.ts';

/** Newer entries that a file is compared with, in about half a second. After more of them it must be made again. */
const MOST_COMPARED = 20_000;

/** What speaks against a kept file. `isFarBehind`: there are too many newer entries to compare. */
type Held = { contacts: number; isFarBehind: boolean };

/**
 * How many contacts of a kept file were suppressed or erased after it was made, as far as can be told. `name`: its own in the bucket.
 * - One that the next sweep removes holds at least one.
 * - An import that was being stored meanwhile has an earlier time. Its entries count once the owner is told of them.
 * - The export behind it is the one that it names. Else it is the last one of its list and person before it was kept, by the count of
 *   leads in its name.
 * - Of a file without one, which an earlier version kept, the leads that its list has now are looked at.
 */
async function heldSince(db: Db, name: string): Promise<Held | undefined> {
  const { rows } = await sql<Held>`
    with file as materialized (
      select created_at, split_part(name, '/', 1) as person, split_part(name, '/', 2) as list, user_metadata ->> 'exportId' as named,
        substring(name from '--(\\d{1,9})(?:--[a-z0-9-]+)?\\.csv$') as leads
      from storage.objects where bucket_id = ${EXPORTS_BUCKET} and name = ${name}
    ),
    made as materialized (
      select export.id, export.exported_at, export.user_id
      from file join public.lists as list on list.id::text = file.list
        join app.exports as export on export.list_id = list.id and export.user_id::text = file.person
          and export.exported_at <= file.created_at
      order by export.evidence_id::text = file.named desc nulls last, export.leads::text = file.leads desc nulls last, export.id desc
      limit 1
    ),
    since as materialized (select coalesce((select exported_at from made), created_at) as moment from file),
    newer as materialized (
      (select key from app.suppressions where added_at > (select moment from since) limit ${MOST_COMPARED + 1})
      union
      select entry.key
      from made join app.suppression_notices as told on told.user_id = made.user_id
        join app.suppressions as entry on entry.id = told.suppression_id
    ),
    keys as materialized (select coalesce(array_agg(key), '{}') as keys from newer),
    erased as materialized (
      select ('x' || encode(substr(hash, 1, 8), 'hex'))::bit(64)::bigint as hash from app.erased_contacts
    )
    select greatest(case when exists (select from made)
      then (
        select count(*) from (select unnest(app.short_hashes(keys.keys)) from keys union select hash from erased) as one (hash)
        where one.hash in (
          select hash from app.export_contacts as part, unnest(part.hashes) as hash where part.export_id = (select id from made)))
      else (
        select count(*) from newer where key in (
          select key from file join public.leads as lead on lead.list_id::text = file.list, unnest(lead.contact_keys) as key))
      end, (select count(*) from app.files_to_erase where name = ${name}))::integer as contacts,
      (select count(*) from newer) > ${MOST_COMPARED} as "isFarBehind"
  `.execute(db);
  return rows[0];
}

/** Why a kept file is not handed out anymore, in words; undefined where it may be. */
export async function whyKept(db: Db, name: string): Promise<string | undefined> {
  const held = await heldSince(db, name);
  if (!held) return undefined;
  if (held.isFarBehind) return 'The suppression list has grown a lot since this file was made. Export the list again.';
  if (held.contacts === 0) return undefined;
  const contacts = held.contacts === 1 ? '1 contact that was' : `${held.contacts} contacts that were`;
  return `This file holds ${contacts} suppressed or erased after it was made. Export the list again.`;
}
