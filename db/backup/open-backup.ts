import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { BackupError } from './backup-error.ts';
import { type Header, parseHeader } from './header.ts';

const NEWLINE = 10;

/** A backup that is being read, from its beginning to its end. */
export type OpenBackup = {
  header: Header;
  /** The next `count` lines, in pieces. */
  lines(count: number): AsyncGenerator<Buffer>;
  close(): void;
};

/** @throws BackupError for what is no complete backup, here or while it is read. */
export async function openBackup(file: string): Promise<OpenBackup> {
  const source = createReadStream(file);
  const unpacked = createGunzip();
  source.on('error', (error) => unpacked.destroy(error));
  const pieces: AsyncIterator<Buffer> = source.pipe(unpacked)[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);

  async function* lines(count: number): AsyncGenerator<Buffer> {
    for (let missing = count; missing > 0; ) {
      if (rest.length === 0) rest = await next();
      let end = 0;
      while (missing > 0) {
        const newline = rest.indexOf(NEWLINE, end);
        if (newline < 0) break;
        end = newline + 1;
        missing -= 1;
      }
      if (missing > 0) end = rest.length;
      const piece = rest.subarray(0, end);
      rest = rest.subarray(end);
      yield piece;
    }
  }
  async function next(): Promise<Buffer> {
    const piece = await pieces.next().catch((error: unknown) => {
      throw new BackupError(reasonOf(error), { cause: error });
    });
    if (piece.done) throw new BackupError('The backup ends too early: it is damaged.');
    return piece.value;
  }

  const close = () => {
    source.destroy();
    unpacked.destroy();
  };
  try {
    const first: Buffer[] = [];
    for await (const piece of lines(1)) first.push(piece);
    return { header: parseHeader(Buffer.concat(first).toString('utf8')), lines, close };
  } catch (error) {
    close();
    throw error;
  }
}

function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (code === 'Z_DATA_ERROR' || code === 'Z_BUF_ERROR') return 'The file is damaged, or not a backup of Fairlead.';
  if (code === 'ENOENT') return 'There is no such file.';
  return `The file cannot be read: ${code || String(error)}.`;
}
