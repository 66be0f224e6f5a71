import { createClient } from '@supabase/supabase-js';
import { EXPORTS_BUCKET } from '#contract/work/export-archive.ts';
import { BackupError } from '#db/backup/backup-error.ts';
import type { BringExport } from '#db/backup/bring-exports.ts';
import type { HostedSupabase } from '#server/config/env.ts';

/** Puts kept exports into Supabase's Storage. Throws a BackupError. */
export function toHostedStorage({ url, secretKey }: Pick<HostedSupabase, 'url' | 'secretKey'>): BringExport {
  const { storage } = createClient(url, secretKey, { auth: { persistSession: false, autoRefreshToken: false } });
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
