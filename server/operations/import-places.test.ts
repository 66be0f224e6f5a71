import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readBox } from '#contract/admin/bounding-box.ts';
import { startImportEndpoint } from '#contract/admin/open-data.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { folderForFile } from '#test/runner/after-file.ts';
import { main, readOrder } from './import-places.ts';

test('reads files, an area and what a CSV file does not say', () => {
  const order = readOrder([
    '/a.csv',
    '--bbox',
    '-89.8,39.6,-89.5,39.9',
    '/b.csv',
    '--state',
    'il',
    '--source',
    'city',
    '--part',
  ]);
  expect(order).toEqual({
    files: ['/a.csv', '/b.csv'],
    bbox: { west: -89.8, south: 39.6, east: -89.5, north: 39.9 },
    state: 'IL',
    source: 'city',
    missing: 'part',
  });
});

test.each([
  [[], 'Usage'],
  [['/a', '--part', '--whole'], 'Usage'],
  [['/a', '--unknown'], 'Usage'],
  [['/a', '--bbox', '1,2,3'], 'four degrees'],
  [['/a', '--bbox', '1,5,3,4'], 'four degrees'],
  [['/a', '--source', 'overture'], 'not like one of the known sources'],
])('%j is refused', (args, message) => {
  expect(() => readOrder(args)).toThrow(message);
});

test.each([
  [
    ['--bbox', '-89.8,39.6,-89.5,39.9', '--state', 'il', '--whole'],
    { bbox: '-89.8,39.6,-89.5,39.9', state: 'il', missing: 'whole' },
  ],
  [['--bbox', '179.5,-17,-179.5,-16', '--part'], { bbox: '179.5,-17,-179.5,-16', missing: 'part' }],
])('an administrator’s page orders what %j does', (options, { bbox, ...said }) => {
  const { files: _, ...order } = readOrder(['/a', ...options]);
  const { files: __, ...body } = startImportEndpoint.body.parse({ files: ['a'], ...said, bbox: readBox(bbox) });
  expect(body).toEqual(order);
});

test.each([
  { bbox: { west: 1, south: 5, east: 3, north: 4 } },
  { bbox: { west: 1, south: 2, east: 3, north: 91 } },
  { state: 'Illinois' },
])('what the command refuses, the page cannot send: %j', (said) => {
  expect(startImportEndpoint.body.safeParse({ files: ['a'], ...said }).success).toBe(false);
});

test('what the files do not say is asked for, with the options that say it', async () => {
  vi.stubEnv('DATABASE_URL', await freshDatabase());
  vi.stubEnv('ENCRYPTION_KEYS', randomBytes(32).toString('base64'));
  const said = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => {
    process.exitCode = undefined;
    vi.unstubAllEnvs();
    said.mockRestore();
  });
  const path = join(folderForFile(), 'places.csv');
  writeFileSync(path, 'id,name,latitude,longitude\n1,A,39,-89\n');
  await main([path]);
  expect(said.mock.calls.join()).toMatch(
    /^Say where .*places\.csv comes from.*\nUsage: .*--release DAY.*\n.*--source NAME/,
  );
});
