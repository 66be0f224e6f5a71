import { sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';
import type { ReadRow } from '#server/features/imports/values/read-row.ts';

export type NewRow = { row: number; read: ReadRow };

/** Adds rows behind the leads of a list, with where each value came from. Returns how many: erased contacts do not come back. */
export async function storeRows(
  tx: Tx,
  { importId, listId }: { importId: string; listId: string },
  rows: readonly NewRow[],
): Promise<number> {
  if (rows.length === 0) return 0;
  const given = rows.map(({ row, read: { values, extra, originals } }) => ({
    ...values,
    row,
    extra,
    originals,
    sources: Object.fromEntries(Object.keys(values).map((column) => [column, 'file'])),
  }));
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
