import { sql } from 'kysely';
import type { removeSuppressionEndpoint } from '#contract/calling/suppressions.ts';
import type { DataOf } from '#contract/endpoint.ts';
import type { Tx } from '#db/connection/tx.ts';
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
    const entry = await tx
      .deleteFrom('app.suppressions')
      .where('id', '=', id)
      .returning(['key', 'added_at', 'asked_at'])
      .executeTakeFirst();
    if (!entry) return undefined;
    await keepFirstRequest(tx, entry.key, entry.asked_at ?? entry.added_at);
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

/** Added again, it counts from the first time: the law counts from when they asked. */
async function keepFirstRequest(tx: Tx, key: string, askedAt: Date): Promise<void> {
  await sql`
    insert into app.removed_suppressions as known (hash, asked_at) values ((app.contact_hashes(array[${key}]))[1], ${askedAt})
    on conflict (hash) do update set asked_at = least(known.asked_at, excluded.asked_at), removed_at = now()
  `.execute(tx);
}

/** A key for the log, which keeps it longer than an erasure may: enough to recognize it, too little to contact anyone. */
function maskKey(key: string): string {
  const [kind = '', value = ''] = key.split(/:(.*)/s);
  if (kind === 'phone') return `phone:…${value.slice(-4)}`;
  if (kind === 'email') return `email:${value.slice(0, 1)}…@${value.split('@')[1] ?? ''}`;
  return key;
}
