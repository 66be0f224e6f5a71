import type { DataOf } from '#contract/endpoint.ts';
import type { previewExportEndpoint } from '#contract/work/exports/exports.ts';
import type { Ctx } from '#server/http/context.ts';
import { ownList } from '#server/runs/rows.ts';
import { attributionLines } from './attribution.ts';
import type { Export } from './exported-leads.ts';

/**
 * What an export-safe file would hold, before it is made.
 * @throws NOT_FOUND
 */
export async function previewExport(
  { deps: { db }, user }: Ctx,
  { query, body }: Export,
): Promise<DataOf<typeof previewExportEndpoint>> {
  const list = await ownList(db, user.userId, query.listId);
  const { lines: _, exported, ...leftOut } = await attributionLines(db, list.id, body);
  return { leads: exported, ...leftOut };
}
