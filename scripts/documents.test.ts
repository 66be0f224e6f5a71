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
  const benches = globSync('bench/*.bench.ts').map((path) => basename(path, '.bench.ts'));
  expect(benches.filter((name) => !explained.includes(name))).toEqual([]);
});

const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

test('what documents link to is there', () => {
  const links = ['README.md', ...globSync('docs/**/*.md')].flatMap((document) =>
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
