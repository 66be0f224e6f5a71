import { sql } from 'kysely';
import type { ImportColumn } from '#contract/imports/imports.ts';
import type { Tx } from '#db/connection/tx.ts';
import { fieldIn, type Mapping } from './import-row.ts';

type Shown = { columns: ImportColumn[]; mapping: Mapping };

/** The columns of a file as they may be kept: without first values or headers that are erased contacts. `to`: the last row that they were taken from. */
export async function shownColumns(tx: Tx, importId: string, { columns, mapping }: Shown, to: number): Promise<Shown> {
  const headers = columns.map(({ header }) => header);
  const samples = columns.flatMap(({ sample }) => sample);
  const { rows } = await sql<{ headers: number[]; hides: boolean }>`
    with erased as (
      select given.place from app.contacts_in(${[...headers, ...samples]}::text[]) as given where app.is_erased(array_remove(array[given.key], null))
    )
    select array(select place::integer - 1 from erased where place <= ${headers.length}) as headers, exists (select from erased) or exists (
      select from app.import_rows where import_id = ${importId} and row <= ${to} and cells = '[]') as hides
  `.execute(tx);
  const [found] = rows;
  if (!found?.hides) return { columns, mapping };
  const named = (header: string, at: number) => (found.headers.includes(at) ? `Column ${at + 1}` : header);
  return {
    columns: columns.map(({ header, guess }, at) => ({ header: named(header, at), guess, sample: [] })),
    mapping: Object.fromEntries(headers.map((header, at) => [named(header, at), fieldIn(mapping, header) ?? 'skip'])),
  };
}
