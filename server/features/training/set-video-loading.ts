import { sql } from 'kysely';
import type { z } from 'zod/mini';
import type { setVideoLoadingEndpoint } from '#contract/admin/training-editor.ts';
import type { DataOf } from '#contract/endpoint.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import type { Ctx } from '#server/http/context.ts';

/** Sets whether videos load only after a click. A change is audited; the same again is not. */
export async function setVideoLoading(
  ctx: Ctx,
  { afterClick }: z.output<typeof setVideoLoadingEndpoint.body>,
): Promise<DataOf<typeof setVideoLoadingEndpoint>> {
  await ctx.deps.db.transaction().execute(async (tx) => {
    const changed = await tx
      .updateTable('app.training_settings')
      .set({ after_click: afterClick, updated_at: sql<Date>`now()` })
      .where('after_click', '<>', afterClick)
      .returning('after_click')
      .executeTakeFirst();
    if (changed)
      await writeAudit(tx, ctx, {
        action: 'training.loading_set',
        target: 'training videos',
        details: { loading: afterClick ? 'after_click' : 'at_once' },
      });
  });
  return { afterClick };
}
