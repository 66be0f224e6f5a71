import { type AuditFilter, type AuditLine, auditFileName, auditLabel } from '#contract/admin/audit.ts';
import { csvHead, csvRows } from '#contract/csv.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import type { Ctx } from '#server/http/context.ts';
import type { Download } from '#server/http/download.ts';
import { readLines } from './read-lines.ts';

/** Lines read at a time: as many as are in memory at once. */
const PAGE = 1_000;

const COLUMNS = [
  'Time (UTC)',
  'Actor',
  'Actor ID',
  'Action',
  'Code',
  'Target',
  'Target ID',
  'Address',
  'Details',
  'Request ID',
];

/** The lines that match as a CSV file, the newest first. That someone took them is the first of them. */
export function exportAudit(ctx: Ctx, filter: AuditFilter): Download {
  return { fileName: auditFileName(new Date()), type: 'text/csv; charset=utf-8', parts: partsOf(ctx, filter) };
}

async function* partsOf(ctx: Ctx, filter: AuditFilter): AsyncGenerator<string> {
  const { db } = ctx.deps;
  await writeAudit(db, ctx, { action: 'audit.exported', target: 'audit log', details: filter });
  yield csvHead(COLUMNS);
  for (let before: number | undefined; ; ) {
    const lines = await readLines(db, { ...filter, before }, PAGE);
    if (lines.length > 0) yield csvRows(lines.map(cellsOf));
    if (lines.length < PAGE) return;
    before = lines.at(-1)?.id;
  }
}

const cellsOf = (line: AuditLine): string[] => [
  line.at,
  line.actor?.email ?? '',
  line.actor?.id ?? '',
  auditLabel(line.action),
  line.action,
  line.targetEmail ?? line.target ?? '',
  line.targetEmail === null ? '' : (line.target ?? ''),
  line.ip ?? '',
  Object.keys(line.details).length > 0 ? JSON.stringify(line.details) : '',
  line.requestId ?? '',
];
