import { basename } from 'node:path';
import { sql } from 'kysely';
import type { listImportsEndpoint, OpenImport } from '#contract/admin/open-data.ts';
import type { DataOf } from '#contract/endpoint.ts';
import type { Ctx } from '#server/http/context.ts';
import { IMPORT_LOCK } from '#server/open-data/load/load-places.ts';
import { sourceName } from '#server/open-data/sources.ts';

const SHOWN = 20;

type Row = Omit<OpenImport, 'name' | 'files' | 'startedAt' | 'finishedAt'> & {
  source: string;
  files: { path: string }[];
  started_at: Date;
  finished_at: Date | null;
};

/** Whether a session holds the lock of imports tells whether one is under way: a process that was killed holds none. */
export async function listImports({ deps: { db, importer } }: Ctx): Promise<DataOf<typeof listImportsEndpoint>> {
  const { rows } = await sql<Row>`
    select id, source, release, sandbox, files, state, rows_read as "rowsRead", rows_staged as "placesRead", unusable, added, changed,
      gone, same, message, started_at, finished_at, state = 'running' and exists (
        select from pg_locks where locktype = 'advisory' and objid = ${IMPORT_LOCK} and granted
          and database = (select oid from pg_database where datname = current_database())
      ) as "atWork"
    from app.open_imports order by id desc limit ${SHOWN}
  `.execute(db);
  return {
    folder: importer.folder,
    files: await importer.files(),
    imports: rows.map(({ source, files, started_at, finished_at, ...row }) => ({
      ...row,
      name: sourceName(source),
      files: files.map(({ path }) => basename(path)),
      startedAt: started_at.toISOString(),
      finishedAt: finished_at?.toISOString() ?? null,
    })),
  };
}
