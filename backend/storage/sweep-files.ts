import type { Pool } from 'pg';
import type { FileStore } from './file-store.ts';

/** Long enough for an upload or a copy under way, and for a backup that has read the rows and is at the files, in ms. */
const AGE_MS = 60 * 60_000;

/**
 * Removes files that no object has any more: of what was removed or replaced, and of uploads that broke off. A first sweep marks them,
 * and one that is `ageMs` later removes them, so that an old file outlives its row for as long. Returns how many are gone. For connections
 * of a role that is service_role's member.
 */
export async function sweepFiles(pool: Pick<Pool, 'query'>, files: FileStore, ageMs = AGE_MS): Promise<number> {
  let removed = 0;
  for await (const found of files.listOlderThan(ageMs)) {
    const { rows } = await pool.query<{ name: string }>(
      `select file.name from unnest($1::text[]) as file (name)
       where not exists (select from storage.objects as object where object.version = file.name)`,
      [found],
    );
    const gone = await Promise.all(rows.map(({ name }) => files.discard(name)));
    removed += gone.filter(Boolean).length;
  }
  return removed;
}
