import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ROOMS = 'area,backend,bench,calling,contract,db,jobs,providers,sandbox,scripts,server,test,web,websites';
/** An object that is written where it is spread: its fields could stand there themselves. */
const NEEDLESS = /^\s*\.\.\.\{/gm;

test('no object is spread only to put several of its fields on one line', () => {
  const files = globSync(`{${ROOMS}}/**/*.{ts,tsx,mjs}`);
  expect(files.length).toBeGreaterThan(1000);
  const found = files.filter((file) => readFileSync(file, 'utf8').match(NEEDLESS));
  expect(found).toEqual([]);
  expect('const a = {\n  ...{ b, c },\n};'.match(NEEDLESS)).toHaveLength(1);
});
