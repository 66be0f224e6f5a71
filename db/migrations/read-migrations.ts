import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** One SQL file. `version` is the digits its name starts with, `name` what follows them, as the Supabase CLI splits it. */
export type Migration = { file: string; version: string; name: string; sql: string };

/**
 * Reads a folder's `<digits>_<name>.sql` files in order of version.
 * @throws for other SQL names and for a version used twice.
 */
export function readMigrations(folder: string): Migration[] {
  const seen = new Map<string, string>();
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => {
      const file = join(basename(folder) === 'migrations' ? basename(join(folder, '..')) : '', 'migrations', name);
      const [, version, title] = /^(\d+)_(.*)\.sql$/.exec(name) ?? [];
      if (version === undefined || title === undefined)
        throw new Error(`${file}: a migration is named <digits>_<name>.sql.`);
      const other = seen.get(version);
      if (other) throw new Error(`${file} has the same version as ${other}.`);
      seen.set(version, name);
      return { file, version, name: title, sql: readFileSync(join(folder, name), 'utf8') };
    });
}
