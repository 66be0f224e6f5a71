import { sql } from 'kysely';
import type { z } from 'zod/mini';
import type { saveTrainingEndpoint } from '#contract/admin/training-editor.ts';
import type { DataOf } from '#contract/endpoint.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import type { Ctx } from '#server/http/context.ts';

/** Stores a page's video; replaces the one before. */
export async function saveTraining(
  ctx: Ctx,
  { pageKey, title, embedCode, isActive }: z.output<typeof saveTrainingEndpoint.body>,
): Promise<DataOf<typeof saveTrainingEndpoint>> {
  const columns = {
    title,
    embed_code: embedCode,
    is_active: isActive,
    updated_by: ctx.user.userId,
    updated_at: sql<Date>`now()`,
  };
  await ctx.deps.db.transaction().execute(async (tx) => {
    await tx
      .insertInto('app.training_videos')
      .values({ page_key: pageKey, ...columns })
      .onConflict((conflict) => conflict.column('page_key').doUpdateSet(columns))
      .execute();
    await writeAudit(tx, ctx, { action: 'training.saved', target: pageKey, details: { title, embedCode, isActive } });
  });
  return { pageKey };
}
