import type { removeSuppressionEndpoint } from '#contract/calling/suppressions.ts';
import type { DataOf } from '#contract/endpoint.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import { evidenceVault } from '#server/evidence/evidence-vault.ts';
import { recordSuppressionRemoved } from '#server/evidence/record-suppressions.ts';
import { withoutErased } from '#server/evidence/without-erased.ts';
import type { Ctx } from '#server/http/context.ts';
import type { Input } from '#server/http/route.ts';
import { otherHolders, tellHeldLeads } from './held-leads.ts';

/** Lets an entry go; one that is gone already is fine. */
export async function removeSuppression(
  ctx: Ctx,
  { query: { id }, body }: Input<typeof removeSuppressionEndpoint>,
): Promise<DataOf<typeof removeSuppressionEndpoint>> {
  const { db } = ctx.deps;
  const evidence = await evidenceVault(db, ctx.deps.vault);
  const key = await db.transaction().execute(async (tx) => {
    const entry = await tx.deleteFrom('app.suppressions').where('id', '=', id).returning('key').executeTakeFirst();
    if (!entry) return undefined;
    const [reason = ''] = await withoutErased(tx, [body.reason]);
    await recordSuppressionRemoved(tx, evidence, { actor: ctx.user.userId, id, key: entry.key, reason });
    await writeAudit(tx, ctx, {
      action: 'suppression.removed',
      target: id,
      details: { entry: maskKey(entry.key), reason },
    });
    return entry.key;
  });
  if (key === undefined) return { removed: false, heldBy: [] };
  await tellHeldLeads(db, [key]);
  return { removed: true, heldBy: await otherHolders(db, key) };
}

/** A key for the log, which keeps it longer than an erasure may: enough to recognize it, too little to contact anyone. */
function maskKey(key: string): string {
  const [kind = '', value = ''] = key.split(/:(.*)/s);
  if (kind === 'phone') return `phone:…${value.slice(-4)}`;
  if (kind === 'email') return `email:${value.slice(0, 1)}…@${value.split('@')[1] ?? ''}`;
  return key;
}
