import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const files = globSync([
  '{area,backend,calling,contract,db,jobs,providers,sandbox,server,websites}/**/*.test.ts',
  '{bench,test}/**/*.ts',
]);

test('a test that makes a folder removes it', () => {
  const left = files.filter((path) => {
    const text = readFileSync(path, 'utf8');
    return /\b(?:mkdtemp(?:Sync)?|temporaryFolder)\(/.test(text) && !/\brm(?:Sync)?\(/.test(text);
  });
  expect(left).toEqual([]);
});
