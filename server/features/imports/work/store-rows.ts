import { sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';
import type { ReadRow } from '#server/features/imports/values/read-row.ts';
import type { SourceOf, SourcesOf } from '#server/leads/origins/told-values.ts';
import { extraSource, FILE } from '#server/leads/origins/value-rights.ts';

export type NewRow = { row: number; read: ReadRow };

/** Of columns that are none of ours, who had told their values before. Those of the file alone are not named. */
export const sourcesOfExtra = (extra: Readonly<Record<string, string>>, sourceOf: SourceOf): Record<string, string> =>
  Object.fromEntries(
    Object.entries(extra).flatMap(([header, value]) => {
      const source = sourceOf(value);
      return source === FILE ? [] : [[extraSource(header), source]];
    }),
  );

/** Adds rows behind the leads of a list, with where each value came from. Returns how many: erased contacts do not come back. */
export async function storeRows(
  tx: Tx,
  { importId, listId, sourcesOf }: { importId: string; listId: string; sourcesOf: SourcesOf },
  rows: readonly NewRow[],
): Promise<number> {
  if (rows.length === 0) return 0;
  const given = rows.map(({ row, read }) => {
    const { values, extra, originals } = read;
    const sourceOf = sourcesOf(read);
    const sources = {
      ...Object.fromEntries(Object.entries(values).map(([column, value]) => [column, sourceOf(value)])),
      ...sourcesOfExtra(extra, sourceOf),
    };
    return { ...values, row, extra, originals, sources };
  });
  const { numAffectedRows } = await sql`
    insert into public.leads (list_id, position, business_name, phone, email, website, address, owner_name, owner_title,
      sources, extra, originals, import_id, import_row)
    select ${listId}::uuid, last.position + given.place, given.value ->> 'business_name', given.value ->> 'phone',
      given.value ->> 'email', given.value ->> 'website', given.value ->> 'address', given.value ->> 'owner_name',
      given.value ->> 'owner_title', given.value -> 'sources', given.value -> 'extra', given.value -> 'originals',
      ${importId}::uuid, (given.value ->> 'row')::integer
    from jsonb_array_elements(${JSON.stringify(given)}::jsonb) with ordinality as given (value, place),
      (select coalesce(max(position), -1) as position from public.leads where list_id = ${listId}) as last
  `.execute(tx);
  return Number(numAffectedRows);
}
