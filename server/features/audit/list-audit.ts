import type { z } from 'zod/mini';
import { AUDIT_PAGE_SIZE, type listAuditEndpoint } from '#contract/admin/audit.ts';
import type { DataOf } from '#contract/endpoint.ts';
import type { Ctx } from '#server/http/context.ts';
import { readLines } from './read-lines.ts';

/** A page of the audit log. */
export async function listAudit(
  { deps }: Ctx,
  { before, ...filter }: z.output<typeof listAuditEndpoint.query>,
): Promise<DataOf<typeof listAuditEndpoint>> {
  const from = { ...filter, before: before === undefined ? undefined : Number(before) };
  // One more than is shown tells whether a page follows.
  const lines = await readLines(deps.db, from, AUDIT_PAGE_SIZE + 1);
  const items = lines.slice(0, AUDIT_PAGE_SIZE);
  return { items, next: lines.length > items.length ? String(items.at(-1)?.id) : null };
}
