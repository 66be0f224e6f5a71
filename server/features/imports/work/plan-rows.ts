import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';
import type { ImportRecord } from '#server/features/imports/stage/import-row.ts';
import { joinLarge } from '#server/features/imports/stage/join-large.ts';
import { firstRows, keyedLeads, keyedRows } from '#server/features/imports/stage/same-business.ts';

/**
 * Writes to each row which earlier row, or which lead of their lists, is the same business: of several leads the newest.
 * A copy is as old as its lead: of these the one in the newest list.
 * Done once, before the first lead of the import is there.
 */
export const planRows = (tx: Tx, record: Pick<ImportRecord, 'id' | 'user_id'>): Promise<void> =>
  joinLarge(tx, async () => {
    for (const plan of plansOf(record)) await plan.execute(tx);
  });

/** The statements that note it, in their order. */
export const plansOf = ({ id, user_id }: Pick<ImportRecord, 'id' | 'user_id'>): RawBuilder<unknown>[] => [
  sql`
    with keyed as materialized (${keyedRows(id)}), first as materialized (${firstRows})
    update app.import_rows as staged set same_row = same.first
    from (
      select keyed.row, min(first.first) as first from keyed join first using (key)
      where keyed.row > first.first group by keyed.row
    ) as same
    where staged.import_id = ${id} and staged.row = same.row`,
  sql`
    with keyed as materialized (${keyedRows(id)}), theirs as materialized (${keyedLeads(user_id)})
    update app.import_rows as staged set same_lead = same.lead_id
    from (
      select distinct on (keyed.row) keyed.row, theirs.lead_id from keyed join theirs using (key)
      order by keyed.row, theirs.created_at desc, theirs.listed_at desc, theirs.lead_id
    ) as same
    where staged.import_id = ${id} and staged.row = same.row`,
];
