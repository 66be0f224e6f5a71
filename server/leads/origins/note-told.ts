import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import { chunks } from '#server/lib/chunks.ts';
import { FROM_FILE, type Origin, readReleases, sourceIn, VALUE_COLUMNS, type ValueColumn } from './value-rights.ts';

/** Whether a list has values that are written down when they leave: only then are they looked for. */
export async function hasValuesToNote(db: Db, listId: string): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (
      select from public.leads where list_id = ${listId} and (
        (select exists (select from app.open_releases)) and strpos(sources::text, '"open:') > 0
        or address is not null and sources ? 'business_name' and coalesce(sources ->> 'address', 'file:google') like 'file:%'
      )) as has
  `.execute(db);
  return rows[0]?.has === true;
}

/** Leads in one statement. */
const AT_ONCE = 1_000;

type Leaving = Pick<Origin, 'sources'> & { readonly [column in ValueColumn]?: string | null | undefined };

/** Values of one origin: in which columns they stand, and beside which names. */
type Noted = { columns: ValueColumn[]; values: string[]; names: (string | null)[] };

/** Writes down which values of others leave for someone's own files, unless they were written down when they came. */
export async function noteTold(tx: Tx, userId: string, leads: readonly Leaving[]): Promise<void> {
  const byOrigin = new Map<string, Noted>();
  for (const lead of leads)
    for (const column of VALUE_COLUMNS) {
      const value = lead[column];
      const origin = value ? originToNote(lead, column) : undefined;
      if (!value || origin === undefined) continue;
      const noted = byOrigin.get(origin) ?? { columns: [], values: [], names: [] };
      noted.columns.push(column);
      noted.values.push(value);
      noted.names.push(lead.business_name ?? null);
      byOrigin.set(origin, noted);
    }
  for (const [origin, { columns, values, names }] of byOrigin)
    await sql`
      select app.note_told(${userId}::uuid, ${origin}::text, array(
        select unnest(case what
          when 'business_name' then app.told_keys(value, null, null, null)
          when 'phone' then app.told_keys(null, value, null, null)
          when 'address' then app.told_keys(null, null, value, null) || app.name_at_keys(name, value)
          else app.value_keys(value) end)
        from unnest(${columns}::text[], ${values}::text[], ${names}::text[]) as given (what, value, name)))
    `.execute(tx);
}

/** Writes down, when they come, which values leads have that are kept apart or restricted: they may be read without an export. */
export async function noteArriving(tx: Tx, userId: string, leads: readonly Leaving[]): Promise<void> {
  const releases = await readReleases(tx);
  const isNoted = (source: string | undefined) => {
    const rights = source === undefined ? undefined : releases.get(source);
    return rights !== undefined && (rights.apart || rights.restricted);
  };
  const noted = leads.map((lead): Leaving => {
    const columns = VALUE_COLUMNS.filter((column) => isNoted(sourceIn(lead.sources, column)));
    return { sources: lead.sources, ...Object.fromEntries(columns.map((column) => [column, lead[column]])) };
  });
  for (const some of chunks(noted, AT_ONCE)) await noteTold(tx, userId, some);
}

/** Whose a value is, if it must be written down: open data's, and an address beside a name that it did not come with. */
function originToNote({ sources }: Leaving, column: ValueColumn): string | undefined {
  const source = sourceIn(sources, column);
  if (source?.startsWith('open:')) return source;
  if (column !== 'address') return undefined;
  const origin = originOf(source);
  const isOthers = origin === 'google' || origin.startsWith('open:');
  return isOthers && origin !== originOf(sourceIn(sources, 'business_name')) ? origin : undefined;
}

const originOf = (source = 'google'): string =>
  source.startsWith(FROM_FILE) ? source.slice(FROM_FILE.length) : source;
