import { sql } from 'kysely';
import type { SuppressingOutcome } from '#contract/calling/suppressing-outcomes.ts';
import type { Tx } from '#db/connection/tx.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import { evidenceVault } from '#server/evidence/evidence-vault.ts';
import type { Ctx } from '#server/http/context.ts';
import { addEntries } from './add-entries.ts';
import { tellHeldLeads } from './held-leads.ts';
import { noteRequest } from './note-request.ts';

/** `number` as E.164. `askedAt`: when it was called. */
type Stop = { number: string; note: string; askedAt: Date };

const NOTES: Record<SuppressingOutcome, string> = {
  do_not_call: 'Asked on the phone not to be called.',
  wrong_number: 'Wrong number: someone else answered.',
};

/**
 * Suppresses a number for everyone, in the transaction that logs the call. It may stand there already.
 * - Who asks not to be called is a person, not a number: other numbers of the business are suppressed, too. A mailbox alone may be that of a
 *   whole chain, which did not ask.
 */
export async function suppressAfterCall(
  tx: Tx,
  ctx: Ctx,
  {
    outcome,
    note = NOTES[outcome],
    ...stop
  }: Omit<Stop, 'note'> & { outcome: SuppressingOutcome; note?: string | undefined },
): Promise<void> {
  await suppressNumber(tx, ctx, { ...stop, note });
  if (outcome !== 'do_not_call') return;
  const { rows } = await sql<{ number: string }>`
    select unnest(app.numbers_beside(${stop.number}, false, false)) as number
  `.execute(tx);
  const beside = 'Asked on the phone, at another number of this business, not to be called.';
  for (const { number } of rows) await suppressNumber(tx, ctx, { ...stop, number, note: beside });
}

async function suppressNumber(tx: Tx, ctx: Ctx, { number, note, askedAt }: Stop): Promise<void> {
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
