// Writes db/types.gen.ts from a throw-away database with all migrations; `--check` only compares.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ready } from './ready.mjs';
import { tool } from './tool.mjs';

await ready(async () => {
  const { startPostgres } = await import('../db/embedded/start-postgres.ts');
  const { migrate } = await import('../db/migrate.ts');
  const dataDir = mkdtempSync(join(tmpdir(), 'fairlead-types-'));
  chmodSync(dataDir, 0o711); // when we are root, PostgreSQL's user has to get in
  const postgres = await startPostgres({ dataDir, settings: { fsync: 'off' } });
  try {
    const url = await postgres.database('types');
    await migrate(url, { hosted: false });
    const types = { int8: 'number', inet: 'string' };
    process.exitCode = tool('node_modules/kysely-codegen/dist/cli/bin.js', [
      ...['--dialect', 'postgres', '--url', url, '--out-file', 'db/types.gen.ts'],
      ...['--exclude-pattern', '*_migrations.*', '--type-mapping', JSON.stringify(types)],
      ...(process.argv.includes('--check') ? ['--verify'] : []),
    ]);
  } finally {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
