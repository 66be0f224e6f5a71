import { bytesOf } from './load-files.ts';
import type { OpenBackup } from './open-backup.ts';
import type { KeptObject } from './read-backend.ts';

/** Takes a kept export over, under its name in the bucket, in the place of one that is there already. */
export type BringExport = (name: string, bytes: Buffer) => Promise<void>;

/** Hands those of the backup's files that are `kept`, after its rows were read, one after the other to `bring`. */
export async function bringExports(backup: OpenBackup, kept: readonly KeptObject[], bring: BringExport): Promise<void> {
  const byFile = Map.groupBy(kept, ({ version }) => version);
  for (const file of backup.header.files ?? []) {
    const objects = byFile.get(file.version) ?? [];
    const pieces: Buffer[] = [];
    for await (const piece of bytesOf(backup, file)) if (objects.length > 0) pieces.push(piece);
    for (const { name } of objects) await bring(name, Buffer.concat(pieces));
  }
}
