import { mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { RawRow } from '#server/features/imports/read/row.ts';
import { spreadsheet } from '#test/spreadsheet.ts';
import { openUpload } from './open-upload.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'uploads-'));
  vi.stubEnv('TMPDIR', folder);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

async function* chunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

test('a process that dies while it reads a spreadsheet leaves none on the disk, nor does one that died before', async () => {
  for (const name of ['fairlead-import-old', 'fairlead-import-new', 'mine']) await mkdir(join(folder, name));
  const longAgo = new Date(Date.now() - 2 * 86_400_000);
  for (const name of ['fairlead-import-old', 'mine']) await utimes(join(folder, name), longAgo, longAgo);
  const bytes = spreadsheet([['Company'], ['Acme']]);
  const file = await openUpload({ type: 'application/octet-stream', length: undefined, body: chunks(bytes) });
  expect(await readdir(folder)).toEqual(['fairlead-import-new', 'mine']);
  const rows: RawRow[] = [];
  for await (const batch of file.batches) rows.push(...batch);
  expect(rows.map(({ cells }) => cells)).toEqual([['Company'], ['Acme']]);
  await expect(
    openUpload({ type: 'text/csv', length: undefined, body: chunks(new Uint8Array([0x50, 0x4b, 3, 4])) }),
  ).rejects.toThrow('damaged');
  expect(await readdir(folder)).toEqual(['fairlead-import-new', 'mine']);
});
