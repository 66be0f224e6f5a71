import type { MigrationSchema } from '#db/migrations/apply-migrations.ts';
import { isBeforeFirstRelease } from '#db/migrations/before-first-release.ts';
import { backendMigrations, productMigrations } from '#db/migrations/our-migrations.ts';
import type { Migration } from '#db/migrations/read-migrations.ts';
import { BackupError } from './backup-error.ts';
import type { Header } from './header.ts';

type Step = { schema: MigrationSchema; migrations: Migration[] };
/** The migrations that a backup's rows were made under, and those that came since; the backend's before the product's. */
export type Plan = { before: Step[]; since: Step[] };

/**
 * Hosted Supabase has no use for the backend's.
 * @throws BackupError when the backup knows a migration that this Fairlead does not, or is from before the first release.
 */
export function planMigrations({ migrations }: Pick<Header, 'migrations'>, { hosted }: { hosted: boolean }): Plan {
  if (isBeforeFirstRelease(migrations.product))
    throw new BackupError('The backup is older than the first release of Fairlead, which cannot restore it.');
  const backend = split('backend_migrations', backendMigrations(), migrations.backend);
  const product = split('supabase_migrations', productMigrations(), migrations.product);
  const steps = hosted ? [product] : [backend, product];
  return { before: steps.map(({ before }) => before), since: steps.map(({ since }) => since) };
}

function split(schema: MigrationSchema, ours: Migration[], applied: string[]): { before: Step; since: Step } {
  const known = new Set(ours.map((migration) => migration.version));
  if (applied.some((version) => !known.has(version)))
    throw new BackupError('The backup was made by a newer Fairlead. Update this one, then restore.');
  const wasApplied = (migration: Migration) => applied.includes(migration.version);
  return {
    before: { schema, migrations: ours.filter(wasApplied) },
    since: { schema, migrations: ours.filter((migration) => !wasApplied(migration)) },
  };
}
