import { expect, test } from 'vitest';
import { openText } from '#server/features/imports/read/read-text.ts';
import type { RawRow } from '#server/features/imports/read/row.ts';
import { readRow } from '#server/features/imports/values/read-row.ts';
import { UGLY_FILES, type UglyFile } from '#test/ugly-files.ts';
import { guessColumns } from './guess-columns.ts';

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 11) yield bytes.subarray(at, at + 11);
}

async function read({ bytes }: UglyFile) {
  const { batches } = await openText(inPieces(bytes));
  const rows: RawRow[] = [];
  for await (const batch of batches) rows.push(...batch);
  const guess = guessColumns(rows);
  const columns = guess.columns.map(({ header, guess: field }) => ({ header, field }));
  const leads = rows.filter(({ row }) => row >= guess.firstRow).flatMap(({ cells }) => readRow(cells, columns) ?? []);
  return { fields: columns.map(({ field }) => field), leads };
}

test('thirty ugly files: at least 95 percent of the columns are guessed, and no row is lost', async () => {
  expect(UGLY_FILES).toHaveLength(30);
  const wrong: string[] = [];
  let columns = 0;
  for (const file of UGLY_FILES) {
    const { fields, leads } = await read(file);
    columns += file.columns.length;
    for (const [at, field] of file.columns.entries())
      if (fields[at] !== field) wrong.push(`${file.what}, column ${at + 1}: ${fields[at]} for ${field}`);
    expect.soft(leads, file.what).toHaveLength(6);
    const spelt = (name: string) => name.replaceAll('"', '');
    expect
      .soft(
        leads.map(({ values }) => spelt(values.business_name)),
        file.what,
      )
      .toEqual(file.names.map(spelt));
    expect
      .soft(
        leads.every(({ values }) => values.phone?.startsWith('+1 312-555-01') ?? false),
        file.what,
      )
      .toBe(true);
  }
  expect(1 - wrong.length / columns, wrong.join('\n')).toBeGreaterThanOrEqual(0.95);
});
