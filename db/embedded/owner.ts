import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';

/** The system user that PostgreSQL runs as; undefined means our own. */
export type Owner = { uid: number; gid: number };

/** True when this process is root, which PostgreSQL refuses to be. */
export const isRoot = (): boolean => process.getuid?.() === 0;

/**
 * Chooses the user for PostgreSQL: undefined when we are not root, else the owner of an existing cluster, else a system user.
 * @throws Error when there is none: see `systemUser`.
 */
export function chooseOwner(existingCluster: string): Owner | undefined {
  if (!isRoot()) return undefined;
  return ownerOf(existingCluster) ?? systemUser();
}

/** Whether that user can enter the folder; asked of the system, because no look at mode bits sees every obstacle. */
export function canEnter(folder: string, owner: Owner): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { ...owner, cwd: '/', stdio: 'ignore' }).status === 0;
}

function ownerOf(folder: string): Owner | undefined {
  const found = statSync(folder, { throwIfNoEntry: false });
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : undefined;
}

function systemUser(): Owner {
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const found = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  if (!found)
    throw new Error(
      'PostgreSQL refuses to run as root, and there is no system user "postgres" or "nobody" to run it. ' +
        'Create one, start as an ordinary user, or set DATABASE_URL.',
    );
  return { uid: Number(found[2]), gid: Number(found[3]) };
}
