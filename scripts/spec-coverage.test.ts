import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const FILES = globSync('{backend,contract,providers,server,supabase,test,web}/**', { exclude: ['**/dist/**'] });
const DOCUMENT = readFileSync('docs/spec-coverage.md', 'utf8');

const rows = DOCUMENT.split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| statement'))
  .map((line) => line.slice(1, -1).split(' | '));
const quoted = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

/** A file, or a folder, by its path or by the end of it. */
const isFile = (name: string) =>
  FILES.some((file) => `/${file}`.endsWith(`/${name}`) || file.startsWith(name) || file.startsWith(`web/src/${name}`));

const isTest = (name: string) => {
  const path = name.replace(/^spec\//, 'test/e2e/spec/').replace(/^e2e\//, 'test/e2e/');
  return ['ts', 'tsx'].some((end) => isFile(`${path}.test.${end}`));
};

test('the coverage of the specification names files and tests that exist', () => {
  expect(rows.length).toBeGreaterThan(150);
  expect(rows.filter((row) => row.length !== 3)).toEqual([]);
  const named = rows.flatMap(([, where = '']) => quoted(where).filter((name) => /\/|\.tsx?$/.test(name)));
  expect(named.filter((name) => !isFile(name))).toEqual([]);
  const tests = rows.flatMap(([, , shownBy = '']) => quoted(shownBy));
  expect(tests.filter((name) => !isTest(name))).toEqual([]);
});
