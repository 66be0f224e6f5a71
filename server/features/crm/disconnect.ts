import type { disconnectCrmEndpoint } from '#contract/admin/crm.ts';
import type { DataOf } from '#contract/endpoint.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import { lockCrmRow, NO_TOKENS } from '#server/crm/connection.ts';
import type { Ctx } from '#server/http/context.ts';
import { connectionStatus } from './connection-status.ts';

/** Forgets the tokens; credentials and required tags stay. One that is gone already is fine. */
export async function disconnect(ctx: Ctx): Promise<DataOf<typeof disconnectCrmEndpoint>> {
  await ctx.deps.db.transaction().execute(async (tx) => {
    const row = await lockCrmRow(tx);
    if (!row?.connected_at) return;
    await tx.updateTable('app.crm_connection').set(NO_TOKENS).execute();
    await writeAudit(tx, ctx, { action: 'crm.disconnected', target: 'keap' });
  });
  return connectionStatus(ctx.deps);
}
