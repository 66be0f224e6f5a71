import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import { APART, attributionOf, sourceName } from '#server/open-data/sources.ts';

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

/** Where a value came from and under what it is kept. `apart`: under the ODbL, not to be put together with others. */
export type Rights = {
  source: string;
  license: string;
  release: string | null;
  attribution: string | null;
  apart: boolean;
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
        apart: row.source === APART,
      },
    ]),
  );
}

const own = (source: string, license: string): Rights => ({
  source,
  license,
  release: null,
  attribution: null,
  apart: false,
});
/** What stands in someone's own file. */
export const FILE_RIGHTS = own('Your file', 'Your own data');
const OWN: Readonly<Record<string, Rights>> = {
  file: FILE_RIGHTS,
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
  const said = namedIn(lead.sources)[column];
  if (typeof said === 'string') return Object.hasOwn(OWN, said) ? OWN[said] : releases.get(said);
  const call = HUNTERS[column];
  return call && lead[call] !== null ? HUNTER_RIGHTS : undefined;
}

const namedIn = (sources: unknown): Readonly<Record<string, unknown>> =>
  typeof sources === 'object' && sources !== null ? (sources as Record<string, unknown>) : {};
