import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, type ReadStream } from 'node:fs';
import { chmod, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { storedFile } from '#db/values/stored-file.ts';
import { boundedBody } from './bounded-body.ts';
import { noSuchKey } from './storage-error.ts';

/** A file that was written. `size` in bytes, `md5` in hex. */
type Stored = { version: string; size: number; md5: string };
/** First and last byte, both included. */
export type Range = { start: number; end: number };

/**
 * The bytes of objects as files. Each is written once, under a random name, and never changed. A reader of an object
 * that is replaced or removed meanwhile gets the old bytes to their end.
 */
export type FileStore = {
  /**
   * The file appears when it is complete and on disk.
   * @throws EntityTooLarge
   */
  write(body: AsyncIterable<Uint8Array> | null, mostBytes: number): Promise<Stored>;
  /** @throws NoSuchKey when it is gone. */
  read(version: string, range: Range): Promise<ReadStream>;
  remove(version: string): Promise<void>;
  /** Marks a file, whose age begins again, or removes one that is marked. Returns whether it is gone. */
  discard(version: string): Promise<boolean>;
  /** Names of complete and incomplete files that have not been written to for `ageMs`, some hundreds at a time. */
  listOlderThan(ageMs: number): AsyncGenerator<string[]>;
};

/** Anyone who runs the server can still read and remove it. */
const MARKED = 0o400;
const OWNER_WRITES = 0o200;

/** `folder` is made when the first file is written. */
export function createFileStore(folder: string): FileStore {
  const pathOf = (version: string) => storedFile(folder, version);
  return {
    async write(body, mostBytes) {
      const version = randomUUID();
      const partial = `${pathOf(version)}.partial`;
      const hash = createHash('md5');
      let size = 0;
      await mkdir(dirname(partial), { recursive: true, mode: 0o700 });
      // Opened before anything can fail: a stream would open it later, possibly after it was removed.
      const file = await open(partial, 'wx', 0o600);
      try {
        await pipeline(
          boundedBody(body, mostBytes),
          async function* (chunks: AsyncIterable<Uint8Array>) {
            for await (const chunk of chunks) {
              hash.update(chunk);
              size += chunk.byteLength;
              yield chunk;
            }
          },
          file.createWriteStream({ flush: true }),
        );
        await rename(partial, pathOf(version));
      } catch (error) {
        await rm(partial, { force: true });
        throw error;
      }
      return { version, size, md5: hash.digest('hex') };
    },
    async read(version, { start, end }) {
      const file = await open(pathOf(version)).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOENT' ? noSuchKey() : error;
      });
      return createReadStream('', { fd: file, start, end });
    },
    remove: (version) => rm(pathOf(version), { force: true }),
    async discard(version) {
      const path = pathOf(version);
      const found = await stat(path).catch(() => undefined);
      if (found && (found.mode & OWNER_WRITES) !== 0) {
        await chmod(path, MARKED);
        await utimes(path, new Date(), new Date());
        return false;
      }
      await rm(path, { force: true });
      return true;
    },
    async *listOlderThan(ageMs) {
      for (const name of await readdir(folder).catch(() => [])) {
        const old: string[] = [];
        for (const file of await readdir(join(folder, name)).catch(() => [])) {
          const { mtimeMs } = await stat(join(folder, name, file)).catch(() => ({ mtimeMs: Date.now() }));
          if (Date.now() - mtimeMs > ageMs) old.push(file);
        }
        if (old.length > 0) yield old;
      }
    },
  };
}
