import { sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';
import { type ErasedSubject, patternOf } from './erased-subject.ts';

/** `listIds`: the lists whose leads have changed. */
export type ErasedLeads = { leads: number; listIds: string[] };

/**
 * Deletes the leads of the subject, and forgets it in what other leads say.
 * - A lead is the subject's when its key, or a field of its own, holds it: no one knows which of the fields are about the person.
 * - Others may mention it in columns of their file, on their website, or in what an import would take back.
 */
export async function eraseLeads(tx: Tx, subject: ErasedSubject): Promise<ErasedLeads> {
  const pattern = patternOf(subject);
  const { rows: deleted } = await sql<{ list_id: string }>`
    delete from public.leads where contact_keys @> array[${subject.key}]::text[]
      or concat_ws(E'\n', business_name, address, phone, website, email, owner_name, owner_title, place_id) ~* ${pattern}
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
    where (extra <> '{}' and extra::text ~* ${pattern}) or (originals <> '{}' and originals::text ~* ${pattern})
      or compliance_reason ~* ${pattern} or site_visit::text ~* ${pattern}
    returning list_id
  `.execute(tx);
  // Taking an import back compares with what it wrote: a field that is not the same any more stays.
  await sql`
    update app.import_updates set before = app.erase_in_json(before, ${pattern}), after = app.erase_in_json(after, ${pattern})
    where before::text ~* ${pattern} or after::text ~* ${pattern}
  `.execute(tx);
  const listIds = [...new Set([...deleted, ...changed].map((row) => row.list_id))];
  return { leads: deleted.length, listIds };
}
