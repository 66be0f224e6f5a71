import type { DuplicateChoice, Import, ImportState } from '#contract/imports/imports.ts';
import type { ImportRecord } from './import-row.ts';

/** An import as the contract has it. `kept`: whether its list is kept for good. */
export const showImport = (record: ImportRecord, kept: boolean): Import => ({
  id: record.id,
  name: record.name,
  state: record.state as ImportState,
  rows: record.rows,
  done: record.done,
  added: record.added,
  updated: record.updated,
  skipped: record.skipped,
  errors: record.errors,
  failure: record.state === 'failed' ? record.failure : null,
  otherSheets: record.other_sheets as string[],
  duplicates: record.duplicates as DuplicateChoice | null,
  retention: kept ? 'keep' : 'archive',
  listId: record.list_id,
  listName: record.list_name,
  createdAt: record.created_at.toISOString(),
  finishedAt: record.finished_at?.toISOString() ?? null,
});
