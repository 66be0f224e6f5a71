import { createHash } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { storedFile } from '#db/values/stored-file.ts';
import { BackupError } from './backup-error.ts';
import type { SavedFile } from './header.ts';
import type { OpenBackup } from './open-backup.ts';

/**
 * Writes the files of the backup, which follow its rows, into `folder`.
 * @throws BackupError for one that is not what was saved.
 */
export async function loadFiles(backup: OpenBackup, folder: string): Promise<void> {
  for (const file of backup.header.files ?? []) await loadFile(backup, folder, file);
}

async function loadFile(backup: OpenBackup, folder: string, file: SavedFile): Promise<void> {
  if (!/^[0-9a-f-]{36}$/.test(file.version)) throw new BackupError('The backup holds a file name that is not valid.');
  const path = storedFile(folder, file.version);
  const partial = `${path}.partial`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const into = await open(partial, 'w', 0o600);
  try {
    for await (const bytes of bytesOf(backup, file)) await into.write(bytes);
    await into.sync();
    await rename(partial, path);
  } finally {
    await into.close();
    await rm(partial, { force: true });
  }
}

/**
 * The bytes of the file whose turn it is in the backup.
 * @throws BackupError after the last one, when they are not those that were saved.
 */
export async function* bytesOf(backup: OpenBackup, { lines, hash }: SavedFile): AsyncGenerator<Buffer> {
  const read = createHash('sha256');
  for (let line = 0; line < lines; line += 1) {
    const pieces: Buffer[] = [];
    for await (const piece of backup.lines(1)) pieces.push(piece);
    const bytes = Buffer.from(Buffer.concat(pieces).toString('latin1'), 'base64');
    read.update(bytes);
    yield bytes;
  }
  if (read.digest('hex') !== hash)
    throw new BackupError('A stored file does not match what was saved: the backup is damaged.');
}
