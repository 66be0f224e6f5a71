import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const FILES = globSync('{backend,contract,db,providers,scripts,server,supabase,test,web}/**', {
  exclude: ['**/dist/**'],
});

/** The rows of all tables of a document, each in its cells. */
const rowsOf = (document: string) =>
  readFileSync(document, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(1, -1).split(' | '));
const quoted = (text = '') => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

/** A file, or a folder, by its path or by the end of it. */
const isFile = (name: string) =>
  FILES.some((file) => `/${file}`.endsWith(`/${name}`) || file.startsWith(name) || file.startsWith(`web/src/${name}`));

const isTest = (name: string) => {
  const path = name.replace(/^spec\//, 'test/e2e/spec/').replace(/^e2e\//, 'test/e2e/');
  return ['ts', 'tsx'].some((end) => isFile(`${path}.test.${end}`));
};
const looksLikeFile = (name: string) => /\/|\.tsx?$/.test(name);

test('the coverage of the specification names files and tests that exist', () => {
  const rows = rowsOf('docs/spec-coverage.md').filter(([statement]) => statement !== ' statement');
  expect(rows.length).toBeGreaterThan(150);
  expect(rows.filter((row) => row.length !== 3)).toEqual([]);
  expect(rows.flatMap(([, where]) => quoted(where).filter((name) => looksLikeFile(name) && !isFile(name)))).toEqual([]);
  expect(rows.flatMap(([, , shownBy]) => quoted(shownBy).filter((name) => !isTest(name)))).toEqual([]);
});

test('the table of security has every chapter that applies, and names files and tests that exist', () => {
  const rows = rowsOf('docs/security.md').filter(([chapter = '']) => /^ V\d+ /.test(chapter));
  expect(rows.map(([chapter = '']) => Number(/\d+/.exec(chapter)?.[0]))).toEqual(
    Array.from({ length: 16 }, (_, at) => at + 1),
  );
  expect(rows.filter((row) => row.length !== 4)).toEqual([]);
  for (const [, , where, shownBy] of rows) {
    expect(quoted(where)).not.toEqual([]);
    expect(quoted(where).filter((name) => !isFile(name))).toEqual([]);
    expect(quoted(shownBy)).not.toEqual([]);
    expect(quoted(shownBy).filter((name) => !isTest(name))).toEqual([]);
  }
});

test('the table of the client’s methods names tests that exist', () => {
  const rows = rowsOf('docs/supabase-client.md').filter(([method]) => method !== ' method');
  expect(rows.filter((row) => row.length !== 3)).toEqual([]);
  for (const [, , shownBy] of rows) {
    expect(quoted(shownBy)).not.toEqual([]);
    expect(quoted(shownBy).filter((name) => !isTest(name))).toEqual([]);
  }
});
