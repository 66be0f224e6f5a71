import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type pg from 'pg';
import { storedFile } from '#db/values/stored-file.ts';
import type { SavedFile } from './header.ts';

/** Bytes of a file in one line. */
const CHUNK_BYTES = 512 * 1024;

/** The files that rows name, as they are on disk. One that has gone with its row since the moment of the backup is left out. */
export async function listFiles(client: pg.Client, folder: string): Promise<SavedFile[]> {
  const { rows: found } = await client.query<{ is: boolean }>(
    "select to_regclass('storage.objects') is not null as is",
  );
  if (!found[0]?.is) return [];
  const { rows } = await client.query<{ version: string }>(
    'select distinct version from storage.objects order by version',
  );
  const files: SavedFile[] = [];
  for (const { version } of rows) {
    const file = await describe(folder, version);
    if (file) files.push(file);
  }
  return files;
}

/**
 * The lines of one file, in base64.
 * @throws when it is no longer there.
 */
export async function* linesOf(folder: string, { version }: SavedFile): AsyncGenerator<string> {
  for await (const chunk of read(folder, version)) yield `${chunk.toString('base64')}\n`;
}

const read = (folder: string, version: string): AsyncIterable<Buffer> =>
  createReadStream(storedFile(folder, version), { highWaterMark: CHUNK_BYTES });

async function describe(folder: string, version: string): Promise<SavedFile | undefined> {
  const hash = createHash('sha256');
  let lines = 0;
  try {
    for await (const chunk of read(folder, version)) {
      hash.update(chunk);
      lines += 1;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return { version, lines, hash: hash.digest('hex') };
}
