import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import { contactsIn } from './contacts-in.ts';
import {
  FILE,
  FROM_FILE,
  type Origin,
  type Releases,
  readReleases,
  sourceIn,
  VALUE_COLUMNS,
  type ValueColumn,
} from './value-rights.ts';

/** Values looked up at a time, and the longest in characters: no longer one was ever told. */
const AT_ONCE = 5_000;
const LONGEST = 600;

/** What a lead names as the source of a value of someone's file: the file alone, or with who had told that value before. */
export type SourceOf = (value: string) => string;

/** The same for each row of a file: whose a name is depends on what stands beside it. */
export type SourcesOf = (row: FileRow) => SourceOf;

/** What a row of someone's file says. `extra`: its columns that are none of ours. */
type FileRow = {
  values: { readonly [column in ValueColumn]?: string | undefined };
  extra: Readonly<Record<string, string>>;
};
const textsOf = ({ values, extra }: FileRow): string[] =>
  [...Object.values(values), ...Object.values(extra)].filter((text) => text !== undefined);
/** Cells that may say anything, and something of others within. */
const freeTextsOf = ({ values, extra }: FileRow): string[] =>
  [...Object.values(extra), values.owner_name, values.owner_title].filter((text) => text !== undefined);

/** Who told a value, and who told it as the name of a business: others may have the same. */
type Tellers = { value?: string; name?: string };

/** Looks up which values of someone's file they have from Google or from open data. Returns the sources of each row. */
export async function readSources(tx: Tx, userId: string, rows: readonly FileRow[]): Promise<SourcesOf> {
  const { rows: some } = await sql`select from app.told_values where user_id = ${userId} limit 1`.execute(tx);
  if (some.length === 0) return () => () => FILE;
  const releases = await readReleases(tx);
  const told = new Map<string, Tellers>();
  const within = new Map<string, readonly string[]>();
  for (const text of rows.flatMap(freeTextsOf)) if (!within.has(text)) within.set(text, contactsIn(text));
  const asked = [...new Set([...rows.flatMap(textsOf), ...[...within.values()].flat()])].filter(
    (value) => value !== '' && value.length <= LONGEST,
  );
  for (let from = 0; from < asked.length; from += AT_ONCE)
    for (const { value, origin, by_name } of await lookUp(tx, userId, asked.slice(from, from + AT_ONCE))) {
      const tellers = told.get(value) ?? {};
      const how = by_name ? 'name' : 'value';
      const before = tellers[how];
      if (before === undefined || rank(origin, releases) < rank(before, releases)) tellers[how] = origin;
      told.set(value, tellers);
    }
  // Of several contacts in one cell the one that may be kept least counts.
  for (const [text, contacts] of within) {
    const [strictest] = contacts
      .flatMap((contact) => told.get(contact)?.value ?? [])
      .toSorted((one, other) => rank(other, releases) - rank(one, releases));
    const tellers = told.get(text);
    if (strictest !== undefined && tellers?.value === undefined) told.set(text, { ...tellers, value: strictest });
  }
  return (row) => {
    const isTold = isToldBusiness(row, told);
    return (value) => {
      const tellers = told.get(value);
      // "76" is the name of gas stations, and most numbers are none.
      const mayBeName = isTold && (value === row.values.business_name || /\D/.test(value));
      const origin = tellers?.value ?? (mayBeName ? tellers?.name : undefined);
      return origin === undefined ? FILE : `${FROM_FILE}${origin}`;
    };
  };
}

/** Whether a row is a business that was told, and not another one of its name: more of it was told, or the row has no more. */
function isToldBusiness(row: FileRow, told: ReadonlyMap<string, Tellers>): boolean {
  if (textsOf(row).some((text) => told.get(text)?.value !== undefined)) return true;
  const { business_name, phone, address, website } = row.values;
  return !phone && !address && !website && told.get(business_name ?? '')?.name !== undefined;
}

/** What open data says may be kept, also where Google says the same. */
function rank(origin: string, releases: Releases): number {
  const release = releases.get(origin);
  if (!release) return 2;
  return release.apart ? 1 : 0;
}

type ToldOrigin = { value: string; origin: string; by_name: boolean };

async function lookUp(tx: Tx, userId: string, values: readonly string[]): Promise<ToldOrigin[]> {
  const { rows } = await sql<ToldOrigin>`
    select value, origin, by_name from app.told_origins(${userId}::uuid, ${values}::text[])
  `.execute(tx);
  return rows;
}

/** Whether a list has values of open data: only then are they looked for among what leaves. */
export async function hasOpenValues(db: Db, listId: string): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from app.open_releases)
      and exists (select from public.leads where list_id = ${listId} and strpos(sources::text, '"open:') > 0) as has
  `.execute(db);
  return rows[0]?.has === true;
}

type Told = Pick<Origin, 'sources'> & { readonly [column in ValueColumn]?: string | null | undefined };

/** Writes down which values of open data leave for someone's own files. Google's are written down when they come. */
export async function noteOpenValues(tx: Tx, userId: string, leads: readonly Told[]): Promise<void> {
  const byRelease = new Map<string, { columns: ValueColumn[]; values: string[] }>();
  for (const lead of leads)
    for (const column of VALUE_COLUMNS) {
      const source = sourceIn(lead.sources, column);
      const value = lead[column];
      if (!source?.startsWith('open:') || !value) continue;
      const told = byRelease.get(source) ?? { columns: [], values: [] };
      told.columns.push(column);
      told.values.push(value);
      byRelease.set(source, told);
    }
  for (const [release, { columns, values }] of byRelease)
    await sql`
      select app.note_told(${userId}::uuid, ${release}::text, array(
        select unnest(case what
          when 'business_name' then app.told_keys(value, null, null, null)
          when 'address' then app.told_keys(null, null, value, null)
          else app.value_keys(value) end)
        from unnest(${columns}::text[], ${values}::text[]) as given (what, value)))
    `.execute(tx);
}
