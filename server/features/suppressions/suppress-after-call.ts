import type { Tx } from '#db/connection/tx.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import { evidenceVault } from '#server/evidence/evidence-vault.ts';
import type { Ctx } from '#server/http/context.ts';
import { addEntries } from './add-entries.ts';
import { tellHeldLeads } from './held-leads.ts';
import { noteRequest } from './note-request.ts';

/** Suppresses a number for everyone, in the transaction that logs the call. `number` as E.164. It may stand there already. `askedAt`: when it was called. */
export async function suppressAfterCall(
  tx: Tx,
  ctx: Ctx,
  { number, note, askedAt }: { number: string; note: string; askedAt: Date },
): Promise<void> {
  const by = { source: 'call', addedBy: ctx.user.userId } as const;
  const evidence = await evidenceVault(tx, ctx.deps.vault);
  const { keys: added } = await addEntries(tx, evidence, [{ kind: 'phone', value: number, note }], by);
  await noteRequest(tx, evidence, { key: `phone:${number}`, askedAt, source: 'call', actor: ctx.user.userId, note });
  if (added.length === 0) return;
  await tellHeldLeads(tx, added);
  const entry = await tx
    .selectFrom('app.suppressions')
    .select('id')
    .where('key', 'in', added)
    .executeTakeFirstOrThrow();
  await writeAudit(tx, ctx, { action: 'suppression.added', target: entry.id, details: { kind: 'phone' } });
}
