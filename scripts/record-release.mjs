// `npm run record-release -- 0.2.0`: writes down the migrations of a release, which from then on no one may change.
import { writeFileSync } from 'node:fs';
import { ready } from './set-up/ready.mjs';

await ready(async () => {
  const { backendMigrations, productMigrations } = await import('#db/migrations/our-migrations.ts');
  const { hashOf, readReleases, RELEASES_FILE } = await import('#db/migrations/releases.ts');
  const [version] = process.argv.slice(2);
  const releases = readReleases();
  if (!/^\d+\.\d+\.\d+$/.test(version ?? '') || version in releases) {
    console.error('Name a new version: npm run record-release -- 0.2.0');
    process.exit(1);
  }
  const migrations = [...backendMigrations(), ...productMigrations()];
  releases[version] = Object.fromEntries(migrations.map((migration) => [migration.file, hashOf(migration)]));
  writeFileSync(RELEASES_FILE, `${JSON.stringify(releases, null, 2)}\n`);
});
