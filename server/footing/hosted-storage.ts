import { createClient } from '@supabase/supabase-js';
import { EXPORTS_BUCKET } from '#contract/work/exports/export-archive.ts';
import { BackupError } from '#db/backup/backup-error.ts';
import type { BringExport } from '#db/backup/bring-exports.ts';
import type { HostedSupabase } from '#server/config/env.ts';
import type { RemoveExports } from '#server/exports/kept-exports.ts';

type Project = Pick<HostedSupabase, 'url' | 'secretKey'>;

const storageOf = ({ url, secretKey }: Project) =>
  createClient(url, secretKey, { auth: { persistSession: false, autoRefreshToken: false } }).storage;

/**
 * Puts kept exports into Supabase's Storage.
 * @throws BackupError
 */
export function toHostedStorage(project: Project): BringExport {
  const storage = storageOf(project);
  return async (name, bytes) => {
    const options = { contentType: 'text/csv', upsert: true };
    const { error } = await storage.from(EXPORTS_BUCKET).upload(name, bytes, options);
    if (error)
      throw new BackupError(
        `Supabase's Storage did not take a kept export (${error.message}). Everything else was restored. Restore again with ` +
          '--replace to add them, or start without them.',
        { cause: error },
      );
  };
}

/** Supabase lets no one remove the row of a file but its Storage. */
export function fromHostedStorage(project: Project): RemoveExports {
  const storage = storageOf(project);
  return async (names) => {
    const { error } = await storage.from(EXPORTS_BUCKET).remove([...names]);
    if (error) throw error;
  };
}
