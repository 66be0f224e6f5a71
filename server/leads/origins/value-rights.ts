import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import { attributionOf, isApart, isRestricted, sourceName } from '#server/open-data/sources.ts';

/** The columns of a lead that hold what someone else knows. */
export const VALUE_COLUMNS = [
  'business_name',
  'phone',
  'address',
  'website',
  'email',
  'owner_name',
  'owner_title',
] as const;
export type ValueColumn = (typeof VALUE_COLUMNS)[number];

/**
 * Where a value came from and under what it is kept.
 * - `apart`: under the ODbL, not to be put together with others. `restricted`: in no export-safe file.
 */
export type Rights = {
  source: string;
  license: string;
  release: string | null;
  attribution: string | null;
  apart: boolean;
  restricted: boolean;
};

/** What tells the origin of the values of a lead. */
export type Origin = {
  sources: unknown;
  email_call_id: string | null;
  owner_call_id: string | null;
  email_check_call_id: string | null;
};

export type Releases = ReadonlyMap<string, Rights>;

/** Every release that was ever loaded, by how leads name it. */
export async function readReleases(db: Db): Promise<Releases> {
  const { rows } = await sql<{ id: number; source: string; release: string; license: string }>`
    select id, source, release, license from app.open_releases
  `.execute(db);
  return new Map(
    rows.map((row) => [
      `open:${row.id}`,
      {
        source: sourceName(row.source),
        license: row.license,
        release: row.release,
        attribution: attributionOf(row),
        apart: isApart(row),
        restricted: isRestricted(row.license),
      },
    ]),
  );
}

/** Bytes of all that `sources` of a lead says, as the database holds it to. */
export const MOST_SOURCES = 40_000;

/** What `sources` calls someone's own file, and what stands before another source whose value came back in one. */
export const FILE = 'file';
export const FROM_FILE = 'file:';

const own = (source: string, license: string): Rights => ({
  source,
  license,
  release: null,
  attribution: null,
  apart: false,
  restricted: false,
});
/** What stands in someone's own file. */
const FILE_RIGHTS = own('Your file', 'Your own data');
const OWN: Readonly<Record<string, Rights>> = {
  [FILE]: FILE_RIGHTS,
  website: own('The business’s website', 'Published by the business'),
};
export const HUNTER_RIGHTS = own('Hunter', 'Hunter’s terms of service');

/** Which call brought a value that `sources` does not name. Only Hunter's may be kept: all others are Google's. */
const HUNTERS: Partial<Record<ValueColumn, 'email_call_id' | 'owner_call_id'>> = {
  email: 'email_call_id',
  owner_name: 'owner_call_id',
  owner_title: 'owner_call_id',
};

/** What a value may be kept under. Undefined where it may not, and where no one knows: such a value is not safe to export. */
export function rightsOf(lead: Origin, column: ValueColumn, releases: Releases): Rights | undefined {
  const said = sourceIn(lead.sources, column);
  if (said !== undefined) return rightsNamed(said, releases);
  const call = HUNTERS[column];
  return call && lead[call] !== null ? HUNTER_RIGHTS : undefined;
}

/** Under what name `sources` holds where a column of someone's file came from that is none of ours. It says so only where others told the value. */
export const extraSource = (header: string): string => `extra.${header}`;

/** The same of such a column. */
export function rightsOfExtra(lead: Pick<Origin, 'sources'>, header: string, releases: Releases): Rights | undefined {
  return rightsNamed(sourceIn(lead.sources, extraSource(header)) ?? FILE, releases);
}

/** A value of open data stays so in someone's file, and a value of Google's may not be kept by that way either. */
function rightsNamed(said: string, releases: Releases): Rights | undefined {
  if (Object.hasOwn(OWN, said)) return OWN[said];
  return releases.get(said.startsWith(FROM_FILE) ? said.slice(FROM_FILE.length) : said);
}

/** What brought a value, where that is said. */
export function sourceIn(sources: unknown, name: string): string | undefined {
  if (typeof sources !== 'object' || sources === null || !Object.hasOwn(sources, name)) return undefined;
  const said = (sources as Readonly<Record<string, unknown>>)[name];
  return typeof said === 'string' ? said : undefined;
}
