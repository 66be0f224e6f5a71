// Writes db/types.gen.ts and db/schema from a throw-away database with all migrations; `--check` only compares.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ready } from './set-up/ready.mjs';
import { tool } from './set-up/tool.mjs';

await ready(async () => {
  const { startPostgres } = await import('../db/embedded/start-postgres.ts');
  const { migrate } = await import('#db/migrations/migrate.ts');
  const { writeSchema } = await import('../db/describe/write-schema.ts');
  const check = process.argv.includes('--check');
  const dataDir = mkdtempSync(join(tmpdir(), 'fairlead-types-'));
  chmodSync(dataDir, 0o711); // when we are root, PostgreSQL's user has to get in
  const postgres = await startPostgres({ dataDir, settings: { fsync: 'off' } });
  try {
    const url = await postgres.database('types');
    await migrate(url, { hosted: false });
    const types = { int8: 'number', inet: 'string' };
    const stale = await writeSchema(url, 'db/schema', { check });
    if (check && stale.length > 0)
      console.error(`Not up to date in db/schema: ${stale.join(', ')}. Type: npm run db:types`);
    const code = await tool('node_modules/kysely-codegen/dist/cli/bin.js', [
      ...['--dialect', 'postgres', '--url', url, '--out-file', 'db/types.gen.ts'],
      ...['--exclude-pattern', '*_migrations.*', '--type-mapping', JSON.stringify(types)],
      ...(check ? ['--verify'] : []),
    ]);
    process.exitCode = check && stale.length > 0 ? 1 : code;
  } finally {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
