import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readMigrations } from './read-migrations.ts';

let root: string;
let folder: string;
const write = (name: string, text = 'select 1') => writeFileSync(join(folder, name), text);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fairlead-sql-'));
  folder = join(root, 'supabase', 'migrations');
  mkdirSync(folder, { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('splits names as the Supabase CLI does, in order, and passes over other files', () => {
  write('20261122000000_more_things.sql', 'select 2');
  write('20261121000000_first.sql');
  write('README.md');
  expect(readMigrations(folder)).toEqual([
    { file: 'supabase/migrations/20261121000000_first.sql', version: '20261121000000', name: 'first', sql: 'select 1' },
    {
      file: 'supabase/migrations/20261122000000_more_things.sql',
      version: '20261122000000',
      name: 'more_things',
      sql: 'select 2',
    },
  ]);
});

test.each(['first.sql', '12-first.sql', '_first.sql'])('refuses the name %s', (name) => {
  write(name);
  expect(() => readMigrations(folder)).toThrow(`${name}: a migration is named <digits>_<name>.sql`);
});

test('refuses a version that is used twice', () => {
  write('1_a.sql');
  write('1_b.sql');
  expect(() => readMigrations(folder)).toThrow('1_b.sql has the same version as 1_a.sql');
});
