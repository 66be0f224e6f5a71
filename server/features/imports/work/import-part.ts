import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import { guardedTransaction } from '#db/connection/guarded-transaction.ts';
import type { Tx } from '#db/connection/tx.ts';
import { holdErasure } from '#server/features/imports/stage/hold-erasure.ts';
import { columnsOf, type ImportRecord, mappedColumns, mappingOf } from '#server/features/imports/stage/import-row.ts';
import { ROWS_AT_ONCE } from '#server/features/imports/stage/stage-rows.ts';
import { readRow } from '#server/features/imports/values/read-row.ts';
import { endKeepingFor } from '#server/leads/kept-for-good.ts';
import { readSources } from '#server/leads/origins/told-values.ts';
import { endImport } from './end-import.ts';
import { againstCalls } from './fill-empty.ts';
import { type FillingRow, fillLeads } from './fill-leads.ts';
import { lockHeldImport } from './import-lease.ts';
import { leadsOf, lockListsOfPart, readStanding } from './same-leads.ts';
import { type NewRow, storeRows } from './store-rows.ts';

/** `ended`: nothing of it is left to do. `lost`: another process has it. */
type PartOutcome = 'stored' | 'ended' | 'lost';

/** Imports the next rows of a file and says so in one transaction; or ends the import, where none is left or someone canceled it. */
export function importPart(db: Db, id: string, owner: string): Promise<PartOutcome> {
  return guardedTransaction(db, async (tx) => {
    await holdErasure.execute(tx);
    // Lists before the import, as the deletion of a list takes them.
    await lockListsOfPart(tx, id);
    const record = await lockHeldImport(tx, id, owner);
    if (!record) return 'lost';
    if (record.list_id === null || record.cancel_requested_at !== null) {
      await endImport(tx, record, 'canceled');
      return 'ended';
    }
    const rows = await nextRows(tx, record);
    if (rows.length === 0) {
      await endImport(tx, record, 'completed');
      return 'ended';
    }
    await storePart(tx, record, record.list_id, rows);
    return 'stored';
  });
}

/** `suppressed`: counted as such when the file was shown, by the same keys. */
type StagedRow = {
  row: number;
  cells: string[];
  same_row: number | null;
  same_lead: string | null;
  suppressed: boolean;
};

async function nextRows(tx: Tx, { id, last_row }: ImportRecord): Promise<StagedRow[]> {
  const { rows } = await sql<StagedRow>`
    select row, cells, same_row, same_lead,
      exists (select from app.suppressions where key = any(staged.keys)) as suppressed
    from app.import_rows as staged
    where import_id = ${id} and row > ${last_row} order by row limit ${ROWS_AT_ONCE}
  `.execute(tx);
  return rows;
}

async function storePart(tx: Tx, record: ImportRecord, listId: string, rows: readonly StagedRow[]): Promise<void> {
  const columns = mappedColumns(columnsOf(record), mappingOf(record));
  const fresh: NewRow[] = [];
  const known: (NewRow & Pick<FillingRow, 'fills'>)[] = [];
  let skipped = 0;
  const isThere = record.duplicates === 'skip' ? await readStanding(tx, record.user_id, rows) : () => true;
  for (const { row, cells, same_row, same_lead, suppressed } of rows) {
    const read = readRow(cells, columns);
    const isKnown = same_row !== null || (same_lead !== null && isThere(same_lead));
    if (!read) skipped += 1;
    else if (!isKnown || record.duplicates === 'add') fresh.push({ row, read });
    // Of a suppressed contact nothing else fills a lead: the lead would be held back, or have a contact of theirs.
    else if (record.duplicates === 'update') known.push({ row, read, fills: suppressed ? 'no_calls' : 'all' });
    else if (Object.keys(againstCalls(read.extra)).length > 0) known.push({ row, read, fills: 'no_calls' });
    else skipped += 1;
  }
  const sourcesOf = await readSources(
    tx,
    record.user_id,
    [...fresh, ...known].map(({ read }) => read),
  );
  const target = { importId: record.id, listId, sourcesOf };
  // First what is new: a row may be the same as one of this very part.
  const storedFirst = await storeRows(tx, target, fresh);
  const leads = await leadsOf(
    tx,
    record.id,
    known.map(({ row }) => row),
  );
  const lost = known.filter(({ row }) => !leads.has(row));
  const filling: FillingRow[] = known.flatMap(({ row, read, fills }) => {
    const leadId = leads.get(row);
    return leadId ? [{ row, read, fills, leadId }] : [];
  });
  const { gone, filled } = await fillLeads(tx, { importId: record.id, userId: record.user_id, sourcesOf }, filling);
  const added = storedFirst + (await storeRows(tx, target, [...lost, ...gone]));
  const erased = fresh.length + lost.length + gone.length - added;
  const stored = [...fresh, ...lost, ...gone];
  const endedKeeping = await endKeepingFor(
    tx,
    sql<boolean>`lead.id = any(array(
      select id from public.leads where import_id = ${record.id} and import_row = any(${stored.map(({ row }) => row)}::integer[])
      union select lead_id from app.import_updates
      where import_id = ${record.id} and row = any(${filling.map(({ row }) => row)}::integer[])))`,
  );
  await sql`
    update app.imports set last_row = ${rows.at(-1)?.row ?? record.last_row}, done = done + ${rows.length},
      added = added + ${added}, updated = updated + ${filled}, skipped = skipped + ${skipped + erased + filling.length - gone.length - filled},
      ended_keeping = ended_keeping || ${endedKeeping}::uuid[]
    where id = ${record.id}
  `.execute(tx);
  await sql`
    update public.lists set lead_count = lead_count + ${added},
      has_emails = has_emails or ${stored.some(({ read }) => read.values.email !== undefined)},
      has_contacts = has_contacts or ${stored.some(({ read }) => read.values.owner_name !== undefined)}
    where id = ${listId}
  `.execute(tx);
}
