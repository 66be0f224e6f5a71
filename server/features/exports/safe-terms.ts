import { sql } from 'kysely';
import { CALL_COLUMNS, LICENSES_HEADER } from '#contract/work/exports/exports.ts';
import type { Db } from '#db/connection/client.ts';
import { FROM_FILE, type Releases, readReleases } from '#server/leads/origins/value-rights.ts';
import { type Export, isExported } from './exported-leads.ts';
import type { SafeTerms } from './safe-row.ts';

/** By what an export-safe file of a choice is made. */
export async function safeTerms(db: Db, listId: string, choice: Export['body']): Promise<SafeTerms> {
  const releases = await readReleases(db);
  const [withApart, ours] = [await mayHoldApart(db, listId, choice, releases), await readOurs(db, listId)];
  return { releases, withApart, ours };
}

/** Columns of our own files that say what others found out. In a file that comes back they are columns like any other. */
const FOUND_OUT = ['Phone Type', 'Compliance Status', LICENSES_HEADER, ...CALL_COLUMNS.map(({ header }) => header)];
/** All columns by which a file of ours is known. Someone else's may well have one of them, and not several. */
const KNOWN_BY = [
  ...FOUND_OUT,
  'Email Confidence',
  'Email Verified',
  'Email Check',
  'Email Checked On',
  'Sandbox Data',
];

/** A header by its letters alone: programs change case and dashes, and a column that was there before gets a number. */
const lettersOf = (header: string): string => header.toLowerCase().replace(/[^a-z]+/g, '');
const LETTERS = sql`regexp_replace(lower(held), '[^a-z]+', '', 'g')`;

/** Reads which of those the files of a list have. Returns which columns are ours, if it has a file of ours. */
async function readOurs(db: Db, listId: string): Promise<SafeTerms['ours']> {
  const { rows } = await sql`
    select distinct ${LETTERS} from (
      select distinct held from public.leads as lead, jsonb_object_keys(lead.extra) as held
      where lead.list_id = ${listId} and lead.extra <> '{}'
      union
      select column_of ->> 'header' from app.imports as import, jsonb_array_elements(import.columns) as column_of
      where import.list_id = ${listId}
    ) as given where ${LETTERS} = any(${KNOWN_BY.map(lettersOf)})
  `.execute(db);
  const ours = new Set((rows.length > 1 ? FOUND_OUT : [LICENSES_HEADER]).map(lettersOf));
  return (header) => ours.has(lettersOf(header));
}

/** Whether values under the ODbL may stand in the file: only if all others that may be kept are under it too. */
async function mayHoldApart(db: Db, listId: string, choice: Export['body'], releases: Releases): Promise<boolean> {
  const apart = [...releases].flatMap(([name, rights]) => (rights.apart ? [name, `${FROM_FILE}${name}`] : []));
  if (apart.length === 0) return false;
  const { rows } = await sql<{ mixed: boolean }>`
    select exists (
      select from public.leads as lead
      where ${isExported(listId, choice)} and (
        exists (select from jsonb_each_text(lead.sources) as given where given.value <> all(${apart}))
        or coalesce(lead.email_call_id, lead.owner_call_id, lead.email_check_call_id) is not null or lead.extra <> '{}'
      )
    ) as mixed
  `.execute(db);
  return rows[0]?.mixed === false;
}
