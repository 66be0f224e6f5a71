import { sql } from 'kysely';
import type { DataOf } from '#contract/endpoint.ts';
import type { listSourcesEndpoint, OpenRelease } from '#contract/work/open-data.ts';
import type { Ctx } from '#server/http/context.ts';
import { attributionOf, sourceName } from '#server/open-data/sources.ts';
import { searchedReleases } from './kind-of-open.ts';

type Row = Omit<OpenRelease, 'name' | 'attribution' | 'searched' | 'loadedAt'> & { loaded_at: Date };

/** What is loaded, by source, the newest release first. A release that no place is of anymore is left out. */
export async function listSources({ deps: { db }, user }: Ctx): Promise<DataOf<typeof listSourcesEndpoint>> {
  const { rows } = await sql<Row>`
    select release.id, release.source, release.release, release.license, release.sandbox, release.loaded_at, counted.count
    from app.open_releases as release join (
      select release_id, count(*)::integer as count from (
        select release_id, gone_on from app.open_places union all select release_id, gone_on from app.open_street_map_places
      ) as place where gone_on is null group by release_id
    ) as counted on counted.release_id = release.id
    order by release.source, release.loaded_at desc, release.license
  `.execute(db);
  const searched = await searchedReleases(db, user.userId);
  return {
    sources: rows.map(({ loaded_at, ...row }) => ({
      ...row,
      name: sourceName(row.source),
      attribution: attributionOf(row),
      searched: searched.get(row.id) ?? 'never',
      loadedAt: loaded_at.toISOString(),
    })),
  };
}
