import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assuming } from '#db/roles/server-role.ts';
import { freshDatabase } from '#test/databases/database.ts';
import { rowsOf } from '#test/open-data/rows-of.ts';
import { folderForFile } from '#test/runner/after-file.ts';
import { loadApart } from './load-apart.ts';

const ROWS = 60_000;

test('an import that is killed again and again loses nothing and takes nothing twice', async () => {
  const url = assuming(await freshDatabase(), 'web');
  const folder = folderForFile();
  const files = ['one', 'two'].map((name, number) => {
    const path = join(folder, `${name}.csv`);
    const rows = Array.from(
      { length: ROWS / 2 },
      (_, index) => `${name}-${index},Business ${index},39.${index},-89.${number}`,
    );
    writeFileSync(path, `id,name,latitude,longitude\n${rows.join('\n')}\n`);
    return path;
  });
  const order = { files, source: 'killed', license: 'CC0-1.0', release: '1' };
  let kills = 0;
  const until = async (steps: number) => {
    const kill = new AbortController();
    let seen = 0;
    const progress = () => {
      seen += 1;
      if (seen >= steps) kill.abort();
    };
    return loadApart({ url, order, progress, signal: kill.signal }).catch((error: unknown) => {
      if (!kill.signal.aborted) throw error;
      kills += 1;
      return undefined;
    });
  };
  for (const steps of [1, 2, 1]) expect(await until(steps)).toBeUndefined();
  const loaded = await loadApart({ url, order });
  expect(kills).toBe(3);
  expect(loaded).toMatchObject({ resumed: true, added: ROWS, changed: 0, gone: 0, same: 0, staged: ROWS });
  const [counted] = await rowsOf<{ places: number }>(
    url,
    'select count(*)::integer as places from app.open_places',
    [],
  );
  expect(counted?.places).toBe(ROWS);
  const states = await rowsOf(url, 'select state, rows_read::integer as rows from app.open_imports', []);
  expect(states).toEqual([{ state: 'completed', rows: ROWS }]);
});
