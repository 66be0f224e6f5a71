import { BackupError } from './backup-error.ts';
import type { Digest } from './digest.ts';
import type { Sequence, Table } from './tables.ts';

const FORMAT = 1;

/** A stored file: its name on disk, its number of lines in base64, and a SHA-256 (hex) over its bytes. */
export type SavedFile = { version: string; lines: number; hash: string };

/**
 * The first line of a backup, as JSON. The whole is compressed with gzip. After this line come:
 * - the rows of `tables`, in that order and as many as each says, one a line, in PostgreSQL's text format for COPY
 * - those of `files`
 */
export type Header = {
  fairleadBackup: typeof FORMAT;
  /** ISO 8601. */
  takenAt: string;
  /** Versions of the migrations that had been applied. */
  migrations: { backend: string[]; product: string[] };
  tables: (Table & Digest)[];
  sequences: Sequence[];
  /** Absent in backups from before files were stored. */
  files?: SavedFile[];
};

export const newHeader = (contents: Omit<Header, 'fairleadBackup'>): Header => ({
  fairleadBackup: FORMAT,
  ...contents,
});

/** @throws BackupError for what is no backup, or one of another format. */
export function parseHeader(line: string): Header {
  let header: Partial<Header>;
  try {
    header = JSON.parse(line);
  } catch (error) {
    throw new BackupError('The file is not a backup of Fairlead.', { cause: error });
  }
  if (!header.fairleadBackup || !header.migrations || !header.tables || !header.sequences)
    throw new BackupError('The file is not a backup of Fairlead.');
  if (header.fairleadBackup !== FORMAT)
    throw new BackupError('The backup was made by a newer Fairlead. Update this one, then restore.');
  return header as Header;
}
