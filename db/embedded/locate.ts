import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { canEnter, type Owner } from './owner.ts';

/** Where root keeps what an unprivileged user must reach. */
export const SYSTEM_FOLDER = '/var/lib/fairlead';

/** Where a cluster lives. `pointer` names the file that must record it, once it exists, for a later start to find it. */
export type Home = { folder: string; pointer?: string };

/**
 * Returns `DATA_DIR/postgres`; for root in a folder that PostgreSQL's user cannot enter, a folder under /var/lib/fairlead.
 * `DATA_DIR/postgres.path` names that folder.
 * @throws Error when it names a folder that is gone: a silent new database would hide a loss.
 */
export function locate(dataDir: string, owner: Owner | undefined): Home {
  const inside = join(dataDir, 'postgres');
  const pointer = join(dataDir, 'postgres.path');
  if (existsSync(pointer)) return { folder: follow(pointer) };
  if (!owner) return { folder: inside };
  const reachable = canEnter(dataDir, owner);
  if (existsSync(inside)) {
    if (reachable) return { folder: inside };
    throw new Error(
      `The database in ${inside} can no longer be reached by the user it runs as (uid ${owner.uid}): ` +
        'a folder above it lets only root in. Restore that permission, or move the data to a folder that it can enter.',
    );
  }
  if (reachable) return { folder: inside };
  mkdirSync(SYSTEM_FOLDER, { recursive: true, mode: 0o755 });
  return { folder: join(SYSTEM_FOLDER, randomBytes(6).toString('hex')), pointer };
}

/** Records a new cluster's place. Of two simultaneous starters one wins: the answer is the winner's folder. */
export function claim({ folder, pointer }: Home): string {
  if (!pointer) return folder;
  const temporary = `${pointer}.${process.pid}`;
  writeFileSync(temporary, `${folder}\n`);
  try {
    linkSync(temporary, pointer);
    return folder;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    rmSync(folder, { recursive: true, force: true });
    return follow(pointer);
  } finally {
    rmSync(temporary, { force: true });
  }
}

function follow(pointer: string): string {
  const folder = readFileSync(pointer, 'utf8').trim();
  if (!existsSync(folder))
    throw new Error(
      `${pointer} says that the database is in ${folder}, which is gone. ` +
        `Restore that folder, or remove ${pointer} to start with an empty database.`,
    );
  return folder;
}
