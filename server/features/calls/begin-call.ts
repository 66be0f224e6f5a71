import { sql } from 'kysely';
import type { z } from 'zod/mini';
import { type beginCallEndpoint, DIAL_OPEN_MS } from '#contract/calling/calls.ts';
import type { DataOf } from '#contract/endpoint.ts';
import { guardedTransaction } from '#db/connection/guarded-transaction.ts';
import { keepingErasuresWaiting } from '#server/evidence/erase-evidence.ts';
import { evidenceVault } from '#server/evidence/evidence-vault.ts';
import { recordGivenVerdict } from '#server/evidence/record-given-verdict.ts';
import { AppError } from '#server/lib/app-error.ts';
import { addCall, lockNumber } from './add-call.ts';
import { ownLead } from './called-lead.ts';
import { readClock } from './clock.ts';
import type { CallsCtx } from './desk.ts';
import { whatTakes } from './leases.ts';
import { loggedCall, ownCall } from './logged-call.ts';

/**
 * Begins a call, if the lead may be called at this moment. It counts from now on, whatever becomes of it. One that has begun is judged again.
 * @throws NOT_FOUND, VALIDATION_FAILED, and CONFLICT while another sheet shows the number, or someone else is in a call to it.
 */
export async function beginCall(
  ctx: CallsCtx,
  { id, leadId, session }: z.output<typeof beginCallEndpoint.body>,
): Promise<DataOf<typeof beginCallEndpoint>> {
  const { deps, user, desk } = ctx;
  const evidence = await evidenceVault(deps.db, deps.vault);
  return guardedTransaction(deps.db, async (tx) => {
    await keepingErasuresWaiting.execute(tx);
    const lead = await ownLead(tx, user.userId, leadId);
    await lockNumber(tx, lead);
    if (!lead.sandbox) await desk.suppressFound(tx, deps.vault, lead.number);
    const known = await ownCall(tx, user.userId, id);
    if (known && known.number !== lead.number) throw new AppError('CONFLICT', 'This call was to another number.');
    if (known?.isWithdrawn) throw new AppError('CONFLICT', 'This call was withdrawn.');
    const at = await readClock(tx);
    const taken = await whatTakes(tx, lead, { userId: user.userId, session }, at);
    if (taken === 'sheet' && !known)
      throw new AppError('CONFLICT', 'This number is open on another call sheet at the moment.');
    const [judged] = await desk.judge(tx, sql`lead.id = ${lead.id}::uuid`, at);
    if (!judged) throw new Error('A lead that was just read has no verdict.');
    const calledAt = known?.calledAt.getTime() ?? at;
    const isOpen = known !== undefined && known.outcome === null && at - calledAt <= DIAL_OPEN_MS && !taken;
    const dialing = isOpen ? judged.dialing(calledAt) : undefined;
    // A call that may be dialed counts already, and is not its own hindrance.
    const { callability } = dialing?.mayDial ? dialing : judged;
    const { listId: list, number, sandbox } = lead;
    const given = { actor: user.userId, list, lead: lead.id, number, sandbox, at, callability };
    await recordGivenVerdict(tx, evidence, given);
    if (known) return { state: 'begun', call: loggedCall(known, user.userId), mayDial: dialing?.mayDial ?? false };
    if (!judged.mayCall) return { state: 'refused', callability };
    if (taken)
      throw new AppError('CONFLICT', 'Someone else is on a call to this number and has not said how it ended.');
    await addCall(tx, lead, { id, userId: user.userId, verdict: callability.verdict, calledAt: at });
    const call = await ownCall(tx, user.userId, id);
    if (!call) throw new Error('A call that was just stored is gone.');
    return { state: 'begun', call: loggedCall(call, user.userId), mayDial: true };
  });
}
