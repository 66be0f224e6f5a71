import type { Logger } from 'pino';
import type { Db } from '#db/connection/client.ts';
import { findOrphans, forgetErasedFiles, type RemoveExports } from '#server/exports/kept-exports.ts';
import { type Looking, lookEvery } from '#server/lib/look-every.ts';

const SWEEP_EVERY_MS = 10 * 60_000;
const AT_ONCE = 500;

type Options = {
  db: Db;
  remove: RemoveExports;
  /** Removes files from the disk that no row names anymore, and returns how many. Hosted Supabase does this itself. */
  sweepFiles?: () => Promise<number>;
  log: Pick<Logger, 'info' | 'warn'>;
};

/** Removes exports whose list is gone, or that may hold an erased contact. Returns how many. */
export async function sweepExports({ db, remove }: Pick<Options, 'db' | 'remove'>): Promise<number> {
  for (let removed = 0; ; ) {
    const names = await findOrphans(db, AT_ONCE);
    if (names.length > 0) await remove(names);
    removed += names.length;
    if (names.length < AT_ONCE) {
      await forgetErasedFiles(db);
      return removed;
    }
  }
}

/** Sweeps now and every ten minutes, in processes that answer browsers. */
export function startExportSweep(options: Options): Looking {
  const { log, sweepFiles } = options;
  const sweep = async () => {
    const exports = await sweepExports(options);
    const files = (await sweepFiles?.()) ?? 0;
    if (exports + files > 0) log.info({ exports, files }, 'swept stored files');
  };
  return lookEvery(SWEEP_EVERY_MS, sweep, { log, trouble: 'stored files were not swept' });
}
