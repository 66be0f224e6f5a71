import { sql } from 'kysely';
import type { z } from 'zod/mini';
import { LATEST_CALL_BACK_MS, LATEST_LOG_MS, type logCallEndpoint, OUTCOME_OPEN_MS } from '#contract/calling/calls.ts';
import { isSuppressing } from '#contract/calling/suppressing-outcomes.ts';
import type { DataOf } from '#contract/endpoint.ts';
import { guardedTransaction } from '#db/connection/guarded-transaction.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { Vault } from '#db/sealed/vault.ts';
import { keepingErasuresWaiting } from '#server/evidence/erase-evidence.ts';
import type { EvidenceEntry } from '#server/evidence/evidence-entry.ts';
import { evidenceVault } from '#server/evidence/evidence-vault.ts';
import { RULES_IN_FORCE } from '#server/evidence/rules-in-force.ts';
import { withoutErased } from '#server/evidence/without-erased.ts';
import { suppressedSince } from '#server/leads/suppressed.ts';
import { AppError } from '#server/lib/app-error.ts';
import { addCall, lockNumber } from './add-call.ts';
import { type CalledNumber, ownLead } from './called-lead.ts';
import { readClock } from './clock.ts';
import type { CallsCtx } from './desk.ts';
import { formerLead } from './former-lead.ts';
import { type CallRow, loggedCall, ownCall } from './logged-call.ts';
import { keptNote, recordCall } from './record-call.ts';

type Body = z.output<typeof logCallEndpoint.body>;

/**
 * Logs how a call ended. One that was not begun here is logged too: a fact is never lost because the rules spoke against it.
 * The same request again changes nothing.
 * @throws NOT_FOUND, VALIDATION_FAILED, and CONFLICT for a call to another number, that was withdrawn, or whose outcome stands for good.
 */
export async function logCall(ctx: CallsCtx, body: Body): Promise<DataOf<typeof logCallEndpoint>> {
  const { deps, user, desk } = ctx;
  const evidence = await evidenceVault(deps.db, deps.vault);
  return guardedTransaction(deps.db, async (tx) => {
    await keepingErasuresWaiting.execute(tx);
    const at = await readClock(tx);
    const call =
      (await ownCall(tx, user.userId, body.id, true)) ?? (await addMadeElsewhere(tx, ctx, evidence, body, at));
    await refuseOther(tx, call, user.userId, body);
    if (call.isWithdrawn) throw new AppError('CONFLICT', 'This call was withdrawn.');
    const { outcome } = body;
    const suppresses = isSuppressing(outcome) && !call.sandbox;
    const [said] = body.note ? await withoutErased(tx, [body.note]) : [];
    const note = await keptNote(tx, call, said);
    if (!isSame(call, { ...body, note })) {
      if (call.outcomeAt && at - call.outcomeAt.getTime() > OUTCOME_OPEN_MS)
        throw new AppError('CONFLICT', 'This outcome can no longer be changed. Log another call to add to it.');
      await writeOutcome(tx, call, { ...body, note }, at);
      const entry = entryOf(call, body, user.userId);
      await recordCall(tx, evidence, call, { entry, ...(said ? { note: said } : {}) });
      if (suppresses) await desk.suppress(tx, ctx, { number: call.number, outcome, askedAt: call.calledAt });
    }
    const logged = await ownCall(tx, user.userId, body.id);
    if (!logged) throw new Error('A call that was just logged is gone.');
    // Sent again, it does not suppress what an administrator has let go since.
    const suppressed = suppresses && (await suppressedSince(tx, 'phone', call.number)) !== undefined;
    return { call: loggedCall(logged, user.userId), suppressed };
  });
}

/** @throws CONFLICT unless a call was to the number, or to the lead, that an outcome is said of. The lead may be gone. */
async function refuseOther(tx: Tx, call: CallRow, userId: string, { leadId, number }: Body): Promise<void> {
  const said = number ?? (await leadOrGone(tx, userId, leadId))?.number ?? call.number;
  if (said !== call.number) throw new AppError('CONFLICT', 'This call was to another number.');
}

async function leadOrGone(tx: Tx, userId: string, leadId: string): Promise<CalledNumber | undefined> {
  try {
    return await ownLead(tx, userId, leadId);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** Stores a call that was made without beginning it here, with what the rules said of it. */
async function addMadeElsewhere(
  tx: Tx,
  ctx: CallsCtx,
  evidence: Vault,
  { id, leadId, number, madeAt }: Body,
  now: number,
): Promise<CallRow> {
  const { userId } = ctx.user;
  const at = madeAt ? Math.min(Date.parse(madeAt), now) : now;
  if (now - at > LATEST_LOG_MS) throw new AppError('VALIDATION_FAILED', 'A call can be logged for seven days.');
  const found = await leadOrGone(tx, userId, leadId);
  const former =
    number === undefined || found?.number === number
      ? undefined
      : await formerLead(tx, evidence, userId, { leadId, number });
  const lead: CalledNumber = former ?? (await ownLead(tx, userId, leadId));
  await lockNumber(tx, lead);
  // Another request of the same call may have come first.
  const known = await ownCall(tx, userId, id, true);
  if (known) return known;
  const [judged] = lead.id === null ? [] : await ctx.desk.judge(tx, sql`lead.id = ${lead.id}::uuid`, at);
  await addCall(tx, lead, { id, userId, verdict: judged?.callability.verdict ?? 'unknown', calledAt: at });
  const added = await ownCall(tx, userId, id);
  if (!added) throw new Error('A call that was just stored is gone.');
  return added;
}

/** What the evidence keeps of a call's outcome. Each change of it is an entry of its own. */
const entryOf = (call: CallRow, { outcome, callBackAt }: Body, actor: string): EvidenceEntry => ({
  kind: 'call.logged',
  actor,
  list: call.listId,
  facts: {
    outcome,
    calledAt: call.calledAt.toISOString(),
    callBackAt: callBackAt ?? null,
    verdict: call.verdict,
    ...RULES_IN_FORCE,
    lead: call.leadId,
    call: call.id,
    sandbox: call.sandbox,
  },
});

const isSame = (call: CallRow, { outcome, note = '', callBackAt }: Body): boolean =>
  call.outcome === outcome &&
  (call.note ?? '') === note &&
  (call.callBackAt?.getTime() ?? 0) === (callBackAt ? Date.parse(callBackAt) : 0);

async function writeOutcome(tx: Tx, call: CallRow, { outcome, note, callBackAt }: Body, at: number): Promise<void> {
  const callBack = callBackAt ? new Date(callBackAt) : null;
  if (callBack && callBack <= call.calledAt)
    throw new AppError('VALIDATION_FAILED', 'The time to call back must be after the call.');
  if (callBack && callBack.getTime() - at > LATEST_CALL_BACK_MS)
    throw new AppError('VALIDATION_FAILED', 'The time to call back may be at most a year ahead.');
  await tx
    .updateTable('app.calls')
    .set({ outcome, note: note || null, call_back_at: callBack, outcome_at: call.outcomeAt ?? new Date(at) })
    .where('id', '=', call.id)
    .execute();
}
