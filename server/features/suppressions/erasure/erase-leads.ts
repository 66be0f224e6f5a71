import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import { type ErasedSubject, patternOf } from './erased-subject.ts';

/** What says something of the subject in words. `leads`: ids; `updates`: what imports would take back, by import and row. */
export type Mentions = { leads: string[]; updates: { import_id: string; row: number }[] };

/** `listIds`: the lists whose leads have changed. */
export type ErasedLeads = { leads: number; listIds: string[] };

const isOwn = (pattern: string) =>
  sql<boolean>`concat_ws(E'\n', business_name, address, phone, website, email, owner_name, owner_title, place_id) ~* ${pattern}`;

/** Reads every lead, and locks none. */
export async function findMentions(db: Db, subject: ErasedSubject): Promise<Mentions> {
  const pattern = patternOf(subject);
  const { rows: leads } = await sql<{ id: string }>`
    select id from public.leads where ${isOwn(pattern)}
      or (extra <> '{}' and extra::text ~* ${pattern}) or (originals <> '{}' and originals::text ~* ${pattern})
      or compliance_reason ~* ${pattern} or site_visit::text ~* ${pattern}
  `.execute(db);
  const { rows: updates } = await sql<Mentions['updates'][number]>`
    select import_id, row from app.import_updates where before::text ~* ${pattern} or after::text ~* ${pattern}
      or (originals <> '{}' and originals::text ~* ${pattern})
  `.execute(db);
  return { leads: leads.map((row) => row.id), updates };
}

/**
 * Deletes the leads of the subject, and forgets it in what other leads say.
 * - A lead is the subject's when its key, or a field of its own, holds it: no one knows which of the fields are about the person.
 * - Others may mention it in columns of their file, on their website, or in what an import would take back.
 * - It looks at no other leads than those of the key and of `mentions`, so that it keeps writers waiting for a moment only.
 */
export async function eraseLeads(tx: Tx, subject: ErasedSubject, mentions: Mentions): Promise<ErasedLeads> {
  const pattern = patternOf(subject);
  const { rows: deleted } = await sql<{ list_id: string }>`
    delete from public.leads where contact_keys @> array[${subject.key}]::text[]
      or (id = any(${mentions.leads}::uuid[]) and ${isOwn(pattern)})
    returning list_id
  `.execute(tx);
  const { rows: changed } = await sql<{ list_id: string }>`
    update public.leads set extra = app.erase_in_json(extra, ${pattern}), originals = app.erase_in_json(originals, ${pattern}),
      sources = (
        select coalesce(jsonb_object_agg(
          case when starts_with(key, 'extra.') then 'extra.' || app.erase_in_text(substr(key, 7), ${pattern}) else key end, value), '{}')
        from jsonb_each(sources)),
      compliance_reason = app.erase_in_text(compliance_reason, ${pattern}),
      site_visit = case when site_visit::text ~* ${pattern} then null else site_visit end
    where id = any(${mentions.leads}::uuid[])
    returning list_id
  `.execute(tx);
  // Taking an import back compares with what it wrote: a field that is not the same anymore stays.
  await sql`
    update app.import_updates as filled
    set before = app.erase_in_json(before, ${pattern}), after = app.erase_in_json(after, ${pattern}),
      originals = app.erase_in_json(originals, ${pattern})
    from unnest(${mentions.updates.map((one) => one.import_id)}::uuid[], ${mentions.updates.map((one) => one.row)}::integer[]) as one (import_id, row)
    where filled.import_id = one.import_id and filled.row = one.row
  `.execute(tx);
  const listIds = [...new Set([...deleted, ...changed].map((row) => row.list_id))];
  return { leads: deleted.length, listIds };
}
