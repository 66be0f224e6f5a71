import type pg from 'pg';
import { UnreadableFile } from '#server/open-data/read/chunk.ts';
import { isApart } from '#server/open-data/sources.ts';
import { markGone } from './mark-gone.ts';
import type { Order } from './order.ts';

/** How a release differs from what was there: each place is in exactly one of them. */
export type Differences = { added: number; changed: number; gone: number; same: number };

export type Merge = {
  importId: number;
  source: string;
  release: string;
  sandbox: boolean;
  order: Order;
};

/** Columns whose change makes a place a changed one. */
const VALUES = [
  'name',
  'categories',
  'phone',
  'website',
  'email',
  'address',
  'region',
  'latitude',
  'longitude',
  'confidence',
  'closed',
  'closed_on',
  'terms',
] as const;
/** Deletes rows of erased contacts. Keys are hashed together. While nothing is erased, no row is looked at. */
const forgetErased = (table: string, which = 'true'): string => `
  with known as materialized (
    select ctid as at, key
    from ${table}, unnest(array[app.suppression_key('phone', phone), app.suppression_key('email', email)]) as key
    where exists (select from app.erased_contacts) and key is not null and ${which}
  ), gone as (
    select hashed.key from (select array_agg(distinct key) as keys from known) as one,
      unnest(one.keys, app.contact_hashes(one.keys)) as hashed (key, hash) join app.erased_contacts using (hash)
  )
  delete from ${table} where ctid in (select known.at from known join gone using (key))`;
const of = (alias: string) => VALUES.map((column) => `${alias}.${column}`).join(', ');

/**
 * Takes over what is staged, in one transaction.
 * @throws UnreadableFile where so much is missing that the files may be only a part.
 */
export async function merge(client: pg.Client, what: Merge): Promise<Differences> {
  await client.query('begin');
  try {
    const differences = await takeOver(client, what);
    await client.query('commit');
    return differences;
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** What is under the ODbL has a table of its own. */
const TOGETHER = 'app.open_places';
const APART = 'app.open_street_map_places';

async function takeOver(client: pg.Client, { importId, source, release, sandbox, order }: Merge): Promise<Differences> {
  const change = async (text: string, values: unknown[]): Promise<number> =>
    (await client.query(text, values)).rowCount ?? 0;
  const { rowCount: staging } = await client.query('select from app.open_staged limit 1');
  if (staging === 0)
    throw new UnreadableFile(
      order.bbox || order.state ? 'These files have no places in this area.' : 'These files have no places.',
    );
  // Of a place that comes twice, the last row counts.
  await client.query(
    `delete from app.open_staged where ctid = any (array(
       select ctid from (select ctid, row_number() over (partition by source_id order by row_number desc) as place from app.open_staged)
         as numbered where place > 1))`,
  );
  await client.query(forgetErased('app.open_staged'));
  await client.query('analyze app.open_staged');
  await addReleases(client, { source, release, sandbox });
  const total = { added: 0, changed: 0, gone: 0 };
  for (const part of await partsOf(client, source)) {
    const differences = await takeOverPart(client, { importId, source, release, sandbox, order }, part);
    total.added += differences.added;
    total.changed += differences.changed;
  }
  // Also whom an erasure took while this was under way. The next one waits for the commit.
  await client.query(`select app.hold_erasure('open data')`);
  for (const table of [TOGETHER, APART]) {
    await client.query(forgetErased(table, 'changed_by = $1'), [importId]);
    if (order.missing !== 'part') total.gone += await markGone(client, { table, importId, source, sandbox, order });
  }
  const { added, changed, gone } = total;
  const same = (await change('delete from app.open_staged', [])) - added - changed;
  await change(
    `update app.open_imports set state = 'completed', finished_at = now(), moved_at = now(), sandbox = $2, added = $3, changed = $4,
       gone = $5, same = $6 where id = $1`,
    [importId, sandbox, added, changed, gone, same],
  );
  return { added, changed, gone, same };
}

/** What is staged for one of the two tables: the places of these licenses. */
type Part = { table: string; other: string; licenses: string[] };

/** Sorts what is staged by license, not by source alone: a file of another name may hold places under the ODbL. */
async function partsOf(client: pg.Client, source: string): Promise<Part[]> {
  const { rows } = await client.query<{ license: string }>('select distinct license from app.open_staged');
  const of = (apart: boolean) =>
    rows.flatMap(({ license }) => (isApart({ source, license }) === apart ? [license] : []));
  return [
    { table: TOGETHER, other: APART, licenses: of(false) },
    { table: APART, other: TOGETHER, licenses: of(true) },
  ].filter(({ licenses }) => licenses.length > 0);
}

async function takeOverPart(
  client: pg.Client,
  { importId, source, release, sandbox }: Merge,
  { table, other, licenses }: Part,
): Promise<{ added: number; changed: number }> {
  const change = async (text: string, more: unknown[]): Promise<number> =>
    (await client.query(text, [source, release, sandbox, licenses, ...more])).rowCount ?? 0;
  const staged = `app.open_staged as staged join app.open_releases as release on release.source = $1 and release.release = $2
    and release.sandbox = $3 and release.license = staged.license and staged.license = any ($4)`;
  await change(
    `update ${table} as place set release_id = release.id from ${staged}
     where place.source = $1 and place.source_id = staged.source_id and place.gone_on is null
       and place.release_id <> release.id
       and (${of('place')}) is not distinct from (${of('staged')})`,
    [],
  );
  // A place that comes under the other kind of license now: it changes, and does not stay in both.
  const moved = await change(
    `delete from ${other} as place using ${staged} where place.source = $1 and place.source_id = staged.source_id
       and place.gone_on is null`,
    [],
  );
  const changed = await change(
    `update ${table} as place set (${VALUES.join(', ')}) = row (${of('staged')}), release_id = release.id, changed_by = $5 from ${staged}
     where place.source = $1 and place.source_id = staged.source_id and place.gone_on is null
       and (${of('place')}) is distinct from (${of('staged')})`,
    [importId],
  );
  // A place that was gone and is back counts as a new one.
  const added = await change(
    `insert into ${table} (source, source_id, release_id, ${VALUES.join(', ')}, added_by, changed_by)
     select $1, staged.source_id, release.id, ${of('staged')}, $5, $5 from ${staged}
     on conflict (source, source_id) do update set (${VALUES.join(', ')}) = row (${of('excluded')}),
       release_id = excluded.release_id, added_by = excluded.added_by, changed_by = excluded.changed_by, gone_by = null, gone_on = null
     where ${table.split('.')[1]}.gone_on is not null`,
    [importId],
  );
  return { added: added - moved, changed: changed + moved };
}

/** A row for each license, with the next id: ids are never used again. */
async function addReleases(
  client: pg.Client,
  { source, release, sandbox }: Pick<Merge, 'source' | 'release' | 'sandbox'>,
): Promise<void> {
  await client.query('lock table app.open_releases in share row exclusive mode');
  await client.query(
    `insert into app.open_releases (id, source, release, license, sandbox)
     select last.id + row_number() over (order by license), $1, $2, license, $3
     from (select distinct license from app.open_staged) as found,
       (select coalesce(max(id), 0) as id from app.open_releases) as last
     on conflict (source, release, license, sandbox) do update set loaded_at = now(), removed_at = null`,
    [source, release, sandbox],
  );
}
