import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { folderForFile } from '#test/runner/after-file.ts';
import type { Chunk } from './chunk.ts';
import { openFile } from './open-file.ts';

const folder = folderForFile();

async function placesOf(name: string, content: string | Buffer): Promise<Chunk['places']> {
  const path = join(folder, name);
  writeFileSync(path, content);
  const file = await openFile(path, { source: 'register', license: 'CC-BY-4.0' });
  const places: Chunk['places'] = [];
  for await (const chunk of file.read(0, undefined)) places.push(...chunk.places);
  return places;
}

test.each(['long.csv', 'long.csv.gz'])(
  'letters of several bytes stay whole wherever %s is cut to be read',
  async (name) => {
    const names = Array.from({ length: 20_000 }, (_, at) => `${'é'.repeat(1 + (at % 7))}鼎泰豐 ${at}`);
    const text = `id,name,latitude,longitude\n${names.map((one, at) => `${at},${one},39,-89\n`).join('')}`;
    const places = await placesOf(name, name.endsWith('.gz') ? gzipSync(text) : text);
    expect(places.map((place) => place.name)).toEqual(names);
  },
);

test('rows without quotes are read as quickly as others', async () => {
  const secondsOf = async (quote: string) => {
    const rows = Array.from({ length: 20_000 }, (_, at) => `${at},${quote}Firm ${at}${quote},39,-89\n`);
    const begun = performance.now();
    expect(await placesOf('rows.csv', `id,name,latitude,longitude\n${rows.join('')}`)).toHaveLength(rows.length);
    return (performance.now() - begun) / 1_000;
  };
  await secondsOf('"');
  const quoted = await secondsOf('"');
  expect(await secondsOf('')).toBeLessThan(4 * quoted);
}, 60_000);

test.each(['', '-', 'NULL', 'null', 'N/A', '0000-00-00', 'no', 'false'])('"%s" closes no place', async (day) => {
  const [place] = await placesOf('closed.csv', `id,name,latitude,longitude,date_closed\n1,Firm,39,-89,${day}\n`);
  expect(place?.closed).toBe(false);
});

test.each(['2024-05-01', '5/1/2024', '2024', 'yes', 'closed'])('"%s" closes a place', async (day) => {
  const [place] = await placesOf('closed.csv', `id,name,latitude,longitude,date_closed\n1,Firm,39,-89,${day}\n`);
  expect(place?.closed).toBe(true);
});

const SPELLED = 'id,name,latitude,longitude\n1,Café Zürich,39,-89\n';

test.each<readonly [string, string | Buffer]>([
  ['UTF-8 with a mark', `\uFEFF${SPELLED}`],
  ['UTF-16', Buffer.from(`\uFEFF${SPELLED}`, 'utf16le')],
  ['Windows-1252', Buffer.from(SPELLED, 'latin1')],
])('%s keeps its letters', async (_encoding, content) => {
  expect(await placesOf('spelled.csv', content)).toMatchObject([{ id: '1', name: 'Café Zürich' }]);
  expect(await placesOf('spelled.csv.gz', gzipSync(content))).toMatchObject([{ id: '1', name: 'Café Zürich' }]);
});

test.each<readonly [string, string | Buffer, string]>([
  ['nothing', '', 'is empty'],
  ['blank lines', '\n \n', 'is empty'],
  ['a workbook', Buffer.from('504b0304140006000800', 'hex'), 'is not a text file. Save a spreadsheet as CSV'],
  ['a picture', Buffer.from('89504e470d0a1a0a0000000d4948445200000001', 'hex'), 'is not a text file'],
])('a file of %s is refused with what is wrong', async (_what, content, why) => {
  await expect(placesOf('refused.csv', content)).rejects.toThrow(why);
});
