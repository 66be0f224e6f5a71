import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import { type ErasedSubject, patternOf } from './erased-subject.ts';

/** What people and providers wrote, by table. Each text that mentions the subject becomes “[erased]”. */
const TEXTS: readonly { table: string; texts?: readonly string[]; json?: readonly string[] }[] = [
  { table: 'public.lists', texts: ['name', 'resolved_place'], json: ['search_params', 'came_from'] },
  // Those below copy names of lists.
  { table: 'app.runs', texts: ['list_name', 'error_message'], json: ['input', 'totals'] },
  { table: 'app.exports', texts: ['list_name', 'file_name'] },
  { table: 'app.usage_lists', texts: ['list_name'] },
  { table: 'app.surveys', texts: ['label', 'why'], json: ['area'] },
  { table: 'app.paid_calls', texts: ['error_message'] },
  { table: 'app.crm_pull', texts: ['failure', 'left_out'] },
];

/**
 * Forgets the subject in names, messages and notes of calls, a table at a time: rows of these are held by work that also writes leads.
 * A call itself is kept for five years by law (16 CFR 310.5).
 */
export async function eraseMentions(db: Db, subject: ErasedSubject): Promise<void> {
  const pattern = patternOf(subject);
  for (const { table, texts = [], json = [] } of TEXTS) {
    const erased = [
      ...texts.map((column) => sql`${sql.ref(column)} = app.erase_in_text(${sql.ref(column)}, ${pattern})`),
      ...json.map((column) => sql`${sql.ref(column)} = app.erase_in_json(${sql.ref(column)}, ${pattern})`),
    ];
    await sql`
      update ${sql.table(table)} set ${sql.join(erased)} where ${mentions([...texts, ...json], pattern)}
    `.execute(db);
  }
  // What makes two surveys the same stays their own.
  await sql`
    update app.surveys set subject = '[erased] ' || id, queries = array(select app.erase_in_text(query, ${pattern}) from unnest(queries) as query)
    where subject ~* ${pattern} or array_to_string(queries, E'\n') ~* ${pattern}
  `.execute(db);
  const phone = subject.kind === 'phone' ? subject.value : null;
  await sql`update app.calls set note = null where note is not null and (phone = ${phone} or note ~* ${pattern})`.execute(
    db,
  );
  await sql`update app.calls set beside = array_remove(beside, ${phone}) where ${phone} = any(beside)`.execute(db);
  await sql`delete from app.call_leases where phone = ${phone}`.execute(db);
  if (subject.kind === 'business') await eraseIds(db, subject.value);
}

const mentions = (columns: readonly string[], pattern: string): RawBuilder<boolean> =>
  sql`concat_ws(E'\n', ${sql.join(columns.map((column) => sql.ref(column)))}) ~* ${pattern}`;

async function eraseIds(db: Db, id: string): Promise<void> {
  await sql`delete from app.open_matches where place_id = ${id}`.execute(db);
  await sql`delete from app.survey_places where place_id = ${id}`.execute(db);
  await sql`delete from app.removed_leads where place = ${id}`.execute(db);
  await sql`update app.survey_tiles set ids = array_remove(ids, ${id}), id_pages = '{}' where ids @> array[${id}]`.execute(
    db,
  );
}
