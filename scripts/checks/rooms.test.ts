import { globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { expect, test } from 'vitest';

const MOST_LINES = 15;
const MOST_FILES = 25;
const SMALL = 2;

const files = globSync(
  '{area,backend,bench,calling,contract,db,jobs,providers,sandbox,scripts,server,test,web,websites}/**/*.{ts,tsx,mjs}',
).filter((path) => !/(^|\/)(node_modules|dist)\//.test(path));
const rooms = Map.groupBy(files, dirname);

test('each room says in a few lines what it is for', () => {
  for (const [room, inside] of rooms) {
    if (inside.filter((path) => !path.includes('.test.')).length < SMALL) continue;
    const lines = readFileSync(`${room}/README.md`, 'utf8').trimEnd().split('\n');
    expect.soft(lines.length, room).toBeLessThanOrEqual(MOST_LINES);
    expect.soft(lines[0], room).toBe(`# ${basename(room)}`);
  }
});

test('no room is a drawer', () => {
  const full = [...rooms]
    .filter(([, inside]) => inside.length > MOST_FILES)
    .map(([room, inside]) => `${room} ${inside.length}`);
  expect(full).toEqual([]);
});
