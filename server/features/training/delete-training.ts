import type { z } from 'zod/mini';
import type { deleteTrainingEndpoint } from '#contract/admin/training-editor.ts';
import type { DataOf } from '#contract/endpoint.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import type { Ctx } from '#server/http/context.ts';

/** Takes a page's video away; one that is gone already is fine. */
export async function deleteTraining(
  ctx: Ctx,
  { pageKey }: z.output<typeof deleteTrainingEndpoint.body>,
): Promise<DataOf<typeof deleteTrainingEndpoint>> {
  await ctx.deps.db.transaction().execute(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('app.training_videos')
      .where('page_key', '=', pageKey)
      .executeTakeFirst();
    if (numDeletedRows > 0n) await writeAudit(tx, ctx, { action: 'training.deleted', target: pageKey });
  });
  return { pageKey };
}
