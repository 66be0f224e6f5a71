import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
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

/** Looks up which values of someone's file they have from Google or from open data. */
export async function readSources(tx: Tx, userId: string, values: Iterable<string>): Promise<SourceOf> {
  const { rows } = await sql`select from app.told_values where user_id = ${userId} limit 1`.execute(tx);
  if (rows.length === 0) return () => FILE;
  const releases = await readReleases(tx);
  const told = new Map<string, string>();
  const asked = [...new Set(values)].filter((value) => value !== '' && value.length <= LONGEST);
  for (let from = 0; from < asked.length; from += AT_ONCE)
    for (const { value, origin } of await lookUp(tx, userId, asked.slice(from, from + AT_ONCE))) {
      const before = told.get(value);
      if (before === undefined || rank(origin, releases) < rank(before, releases)) told.set(value, origin);
    }
  return (value) => {
    const origin = told.get(value);
    return origin === undefined ? FILE : `${FROM_FILE}${origin}`;
  };
}

/** What open data says may be kept, also where Google says the same. */
function rank(origin: string, releases: Releases): number {
  const release = releases.get(origin);
  if (!release) return 2;
  return release.apart ? 1 : 0;
}

async function lookUp(tx: Tx, userId: string, values: readonly string[]): Promise<{ value: string; origin: string }[]> {
  const { rows } = await sql<{ value: string; origin: string }>`
    select value, origin from app.told_origins(${userId}::uuid, ${values}::text[])
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
  const byRelease = new Map<string, Set<string>>();
  for (const lead of leads)
    for (const column of VALUE_COLUMNS) {
      const source = sourceIn(lead.sources, column);
      const value = lead[column];
      if (source?.startsWith('open:') && value) byRelease.set(source, (byRelease.get(source) ?? new Set()).add(value));
    }
  for (const [release, values] of byRelease)
    await sql`
      select app.note_told(${userId}::uuid, ${release}::text, array(
        select unnest(app.value_keys(given)) from unnest(${[...values]}::text[]) as given))
    `.execute(tx);
}
