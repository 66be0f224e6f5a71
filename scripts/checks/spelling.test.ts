import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const dictionaries = globSync('scripts/checks/spelling/*.txt');

test('each dictionary of the spelling checker is sorted and has every word once', () => {
  expect(dictionaries).toHaveLength(3);
  for (const path of dictionaries) {
    const words = readFileSync(path, 'utf8').trimEnd().split('\n');
    expect([...new Set(words)].sort(), path).toEqual(words);
  }
});
