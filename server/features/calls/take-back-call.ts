import { sql } from 'kysely';
import { CALL_OPEN_MS, OUTCOME_OPEN_MS, type takeBackCallEndpoint } from '#contract/calling/calls.ts';
import type { DataOf } from '#contract/endpoint.ts';
import { guardedTransaction } from '#db/connection/guarded-transaction.ts';
import type { Tx } from '#db/connection/tx.ts';
import { keepingErasuresWaiting } from '#server/evidence/erase-evidence.ts';
import type { EvidenceEntry } from '#server/evidence/evidence-entry.ts';
import { evidenceVault } from '#server/evidence/evidence-vault.ts';
import type { Ctx } from '#server/http/context.ts';
import type { Input } from '#server/http/route.ts';
import { suppressedSince } from '#server/leads/suppressed.ts';
import { AppError, notFound } from '#server/lib/app-error.ts';
import { readClock } from './clock.ts';
import { type CallRow, loggedCall, ownCall } from './logged-call.ts';
import { recordCall } from './record-call.ts';

/**
 * Takes back an outcome, or a call that was not made. The same request again changes nothing. A call whose outcome was taken back still
 * counts toward caps.
 * @throws NOT_FOUND, and CONFLICT once it is too late.
 */
export async function takeBackCall(
  { deps, user }: Ctx,
  { query: { id }, body: { what } }: Input<typeof takeBackCallEndpoint>,
): Promise<DataOf<typeof takeBackCallEndpoint>> {
  const evidence = await evidenceVault(deps.db, deps.vault);
  return guardedTransaction(deps.db, async (tx) => {
    await keepingErasuresWaiting.execute(tx);
    const call = await ownCall(tx, user.userId, id, true);
    if (!call) throw notFound('This call');
    const at = await readClock(tx);
    const isNew = await (what === 'outcome' ? takeBackOutcome(tx, call, at) : withdraw(tx, call, at));
    if (isNew) await recordCall(tx, evidence, call, { entry: entryOf(call, what, user.userId) });
    const now = await ownCall(tx, user.userId, id);
    if (!now) throw notFound('This call');
    const since = call.sandbox ? undefined : await suppressedSince(tx, 'phone', call.number);
    return { call: loggedCall(now, user.userId), stillSuppressed: since !== undefined };
  });
}

const entryOf = (call: CallRow, what: 'outcome' | 'call', actor: string): EvidenceEntry => ({
  kind: 'call.taken_back',
  actor,
  list: call.listId,
  facts: { what, outcome: call.outcome, call: call.id, lead: call.leadId, sandbox: call.sandbox },
});

/** Returns false where there was none. */
async function takeBackOutcome(tx: Tx, call: CallRow, at: number): Promise<boolean> {
  if (!call.outcomeAt) return false;
  if (at - call.outcomeAt.getTime() > OUTCOME_OPEN_MS)
    throw new AppError('CONFLICT', 'This outcome can no longer be taken back.');
  const nothing = { outcome: null, outcome_at: null, call_back_at: null };
  await tx.updateTable('app.calls').set(nothing).where('id', '=', call.id).execute();
  return true;
}

/** Returns false where it was withdrawn before. */
async function withdraw(tx: Tx, call: CallRow, at: number): Promise<boolean> {
  if (call.isWithdrawn) return false;
  if (call.outcome) throw new AppError('CONFLICT', 'This call has an outcome. Take that back first.');
  if (at - call.calledAt.getTime() > CALL_OPEN_MS)
    throw new AppError('CONFLICT', 'This call can no longer be withdrawn. Say how it ended.');
  await tx.updateTable('app.calls').set({ withdrawn_at: sql`now()` }).where('id', '=', call.id).execute();
  return true;
}
