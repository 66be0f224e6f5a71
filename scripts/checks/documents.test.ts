import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { clientMethods, testsOnSeparatePostgres } from '#test/client-methods.ts';
import { clientSurface } from '#test/client-surface.ts';
import { FILES, quoted, rowsOf, testFile } from '#test/documents.ts';

/** A file, or a folder, by its path or by the end of it. */
const isFile = (name: string) =>
  FILES.some((file) => `/${file}`.endsWith(`/${name}`) || file.startsWith(name) || file.startsWith(`web/src/${name}`));

const isTest = (name: string) => testFile(name) !== undefined;
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

/** Requirements of levels 1 and 2 in each chapter of ASVS 5.0. */
const ASVS_REQUIREMENTS = [27, 11, 19, 10, 9, 33, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16];

test('the table of ASVS has every requirement once, with a verdict, and names files and tests that exist', () => {
  const rows = rowsOf('docs/security-asvs.md').filter(([ids = '']) => /^ V\d/.test(ids));
  expect(rows.filter((row) => row.length !== 5)).toEqual([]);
  const ids = rows.flatMap(([cell = '']) => cell.trim().split(', '));
  expect(ids.filter((id) => !/^V\d+\.\d+\.\d+$/.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ASVS_REQUIREMENTS.map((_, at) => ids.filter((id) => id.startsWith(`V${at + 1}.`)).length)).toEqual(
    ASVS_REQUIREMENTS,
  );
  for (const [id, , verdict = '', why = '', shownBy = ''] of rows) {
    expect(['met', 'not met', 'not applicable'], id).toContain(verdict.trim());
    expect(why.trim().length, id).toBeGreaterThan(1);
    if (verdict.trim() !== 'not applicable') expect(shownBy, id).toMatch(/`|\]\(/);
    expect(
      quoted(shownBy).filter((name) => !isTest(name) && !isFile(name)),
      id,
    ).toEqual([]);
  }
  const count = (verdict: string) =>
    rows.filter((row) => row[2]?.trim() === verdict).reduce((sum, [cell = '']) => sum + cell.split(', ').length, 0);
  const said = /Of (\d+) requirements (\d+) are met, (\d+) are not, and (\d+) do not apply/.exec(
    readFileSync('docs/security-asvs.md', 'utf8'),
  );
  expect(said?.slice(1).map(Number)).toEqual([ids.length, ...['met', 'not met', 'not applicable'].map(count)]);
});

test('the table of the client’s methods names tests that exist, that speak of the method, and of which one at least is run on two PostgreSQLs', () => {
  const onTwo = testsOnSeparatePostgres();
  for (const { cells, method, tests } of clientMethods()) {
    expect(cells).toHaveLength(3);
    expect(tests).not.toEqual([]);
    const text = tests.map((path) => (path ? readFileSync(path, 'utf8') : `${path} is missing: ${cells[2]}`)).join();
    const names = quoted(method).flatMap((name) => name.match(/\w{2,}/g) ?? []);
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([]);
    expect(tests.filter((path) => path && onTwo.includes(path))).not.toEqual([]);
  }
});

test('the table has every public method of the client that is installed, each in the chapter of its part', () => {
  const methods = clientSurface();
  expect(methods.length).toBeGreaterThan(200);
  const named = clientMethods().flatMap(({ names }) => names);
  // What supabase-js passes on to one of its parts has the name that it has there.
  const isNamed = (method: string) =>
    method.includes('.') ? named.includes(method) : named.some((name) => name.endsWith(`.${method}`));
  expect(methods.filter((method) => !isNamed(method))).toEqual([]);
});

test('every bench is explained', () => {
  const explained = rowsOf('docs/benchmarks.md').flatMap(([name]) => quoted(name));
  const benches = globSync('bench/*/*.bench.ts').map((path) => basename(path, '.bench.ts'));
  expect(benches.filter((name) => !explained.includes(name))).toEqual([]);
});

const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

test('what documents link to is there', () => {
  const links = ['README.md', 'SECURITY.md', ...globSync('docs/**/*.md')].flatMap((document) =>
    [...readFileSync(document, 'utf8').matchAll(/\]\((?!https?:)([^)#]*)#?([^)]*)\)/g)].map(
      ([, path = '', anchor = '']) => ({ document, path: path ? join(dirname(document), path) : document, anchor }),
    ),
  );
  expect(links.length).toBeGreaterThan(50);
  const isThere = ({ path, anchor }: { path: string; anchor: string }) =>
    existsSync(path) &&
    (!anchor ||
      [...readFileSync(path, 'utf8').matchAll(/^#+ (.*)$/gm)].some(([, text = '']) => anchorOf(text) === anchor));
  expect(links.filter((link) => !isThere(link))).toEqual([]);
});
