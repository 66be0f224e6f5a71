import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { UnreadableFile } from '#server/open-data/read/chunk.ts';
import { loadApart } from './load-apart.ts';
import type { Order } from './order.ts';

/** Loads files for administrators, from one folder only. */
export type Importer = {
  folder: string;
  files(): Promise<{ name: string; bytes: number }[]>;
  /** Resolves once the import has begun. Rejects with what kept it from that; what stops it later stands with the import. */
  start(order: Order, startedBy: string): Promise<void>;
  /** Ends what is under way. It goes on when it is started again. */
  stop(): void;
};

/** `url`: where the database is for a server that answers browsers. The folder is made when it is first looked into. */
export function createImporter({
  url,
  folder,
  log,
}: {
  url: string | undefined;
  folder: string;
  log: Logger;
}): Importer {
  const stopping = new AbortController();
  return {
    folder,
    async files() {
      await mkdir(folder, { recursive: true });
      const names = (await readdir(folder)).filter((name) => !name.startsWith('.')).sort();
      // A link may lead nowhere, and a file may be gone by now: neither hides the others.
      const found = await Promise.all(
        names.map(async (name) => ({ name, stats: await stat(join(folder, name)).catch(() => undefined) })),
      );
      return found.flatMap(({ name, stats }) => (stats?.isFile() ? [{ name, bytes: stats.size }] : []));
    },
    start: (order, startedBy) =>
      new Promise((resolve, reject) => {
        if (url === undefined)
          return reject(new UnreadableFile('Imports need a session of their own: set DATABASE_DIRECT_URL.'));
        loadApart({ url, order, startedBy, progress: () => resolve(), signal: stopping.signal }).then(
          () => resolve(),
          (error: unknown) => {
            log.warn({ err: error }, 'import of open data failed');
            reject(error);
          },
        );
      }),
    stop: () => stopping.abort(),
  };
}
