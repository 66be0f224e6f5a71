import type { decideStopRequestEndpoint } from '#contract/calling/suppression-sources.ts';
import type { DataOf } from '#contract/endpoint.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import { evidenceVault } from '#server/evidence/evidence-vault.ts';
import { addEntries } from '#server/features/suppressions/add-entries.ts';
import { tellHeldLeads } from '#server/features/suppressions/held-leads.ts';
import { noteRequest } from '#server/features/suppressions/note-request.ts';
import type { Ctx } from '#server/http/context.ts';
import type { Input } from '#server/http/route.ts';
import { contactOf } from './contact-of.ts';

/** Suppresses what a stranger entered, or lets it go. */
export async function decideRequest(
  ctx: Ctx,
  { query: { id }, body: { suppress } }: Input<typeof decideStopRequestEndpoint>,
): Promise<DataOf<typeof decideStopRequestEndpoint>> {
  const { db } = ctx.deps;
  const evidence = await evidenceVault(db, ctx.deps.vault);
  const decision = await db.transaction().execute(async (tx) => {
    const request = await tx
      .deleteFrom('app.stop_requests')
      .where('id', '=', id)
      .returning(['key', 'asked_at'])
      .executeTakeFirst();
    if (!request) return undefined;
    const contact = contactOf(request.key);
    const by = { source: 'public', addedBy: ctx.user.userId } as const;
    const added = suppress ? (await addEntries(tx, evidence, [contact], by)).keys : [];
    if (suppress)
      await noteRequest(tx, evidence, {
        key: request.key,
        askedAt: request.asked_at,
        source: 'public',
        actor: ctx.user.userId,
      });
    await writeAudit(tx, ctx, {
      action: 'suppression.decided',
      target: id,
      details: { kind: contact.kind, decision: suppress ? 'suppressed' : 'let go' },
    });
    return added;
  });
  if (decision) await tellHeldLeads(db, decision);
  return { decided: decision !== undefined };
}
