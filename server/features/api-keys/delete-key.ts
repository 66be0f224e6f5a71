import type { z } from 'zod/mini';
import type { deleteKeyEndpoint } from '#contract/account/api-keys.ts';
import type { DataOf } from '#contract/endpoint.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import type { Ctx } from '#server/http/context.ts';

/** Removes the caller's key; one that is gone already is fine. Runs under way go on with it, none begins without it. */
export async function deleteKey(
  ctx: Ctx,
  { provider }: z.output<typeof deleteKeyEndpoint.body>,
): Promise<DataOf<typeof deleteKeyEndpoint>> {
  await ctx.deps.db.transaction().execute(async (tx) => {
    const removed = await tx
      .deleteFrom('app.provider_keys')
      .where('user_id', '=', ctx.user.userId)
      .where('provider', '=', provider)
      .returning('last_four')
      .executeTakeFirst();
    if (removed) await writeAudit(tx, ctx, { action: 'key.removed', target: provider, details: removed });
  });
  return { provider };
}
