import { writeFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';

/** A place to write. */
export type Written = {
  id: string;
  name: string;
  category: string;
  phone?: string;
  website?: string;
  region?: string;
  longitude: number;
  latitude: number;
  closed?: boolean;
};

const SCHEMAS = {
  v1: `select id, {'xmin': longitude::float, 'xmax': longitude::float, 'ymin': latitude::float, 'ymax': latitude::float} as bbox,
      [{'property': '', 'dataset': 'meta', 'license': 'CDLA-Permissive-2.0', 'update_time': '2026-07-20'}] as sources,
      {'primary': name, 'common': map {'en': name}} as names, {'primary': category, 'alternate': ['health']} as categories,
      0.9::double as confidence, [website] as websites, []::varchar[] as emails, [phone] as phones,
      [{'freeform': '1 Main St', 'locality': 'Springfield', 'postcode': '62701', 'region': region, 'country': 'US'}] as addresses`,
  v2: `select id, {'xmin': longitude::float, 'xmax': longitude::float, 'ymin': latitude::float, 'ymax': latitude::float} as bbox,
      [{'property': '', 'dataset': 'meta', 'license': 'CDLA-Permissive-2.0', 'update_time': '2026-09-20'}] as sources,
      {'primary': name, 'common': map {'en': name}} as names,
      {'primary': category, 'hierarchy': ['health', category], 'alternates': ['health']} as taxonomy, category as basic_category,
      0.9::double as confidence, [website] as websites, []::varchar[] as emails, [phone] as phones,
      [{'freeform': '1 Main St', 'locality': 'Springfield', 'postcode': '62701', 'region': region, 'country': 'US'}] as addresses,
      case when closed then 'permanently_closed' else 'open' end as operating_status`,
  foursquare: `select id as fsq_place_id, name, latitude, longitude, '1 Main St' as address, 'Springfield' as locality, region,
      '62701' as postcode, '2026-06-01' as date_refreshed, case when closed then '2026-05-01' end as date_closed, phone as tel,
      website, null::varchar as email, [category] as fsq_category_labels`,
} as const;

/** Writes places as Overture (schema v1 or v2) or Foursquare publishes them. */
export async function writeParquet(
  path: string,
  schema: keyof typeof SCHEMAS,
  places: readonly Written[],
): Promise<void> {
  const json = `${path}.json`;
  writeFileSync(
    json,
    places
      .map((place) => JSON.stringify({ closed: false, phone: null, website: null, region: null, ...place }))
      .join('\n'),
  );
  const columns =
    "{id: 'varchar', name: 'varchar', category: 'varchar', phone: 'varchar', website: 'varchar', region: 'varchar', longitude: 'double', latitude: 'double', closed: 'boolean'}";
  const db = await (await DuckDBInstance.create(':memory:')).connect();
  try {
    await db.run(
      `copy (${SCHEMAS[schema]} from read_json('${json}', format = 'newline_delimited', columns = ${columns})) to '${path}' (format parquet, compression zstd)`,
    );
  } finally {
    db.closeSync();
  }
}
