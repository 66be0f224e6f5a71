import { sql } from 'kysely';
import type { CallSheet, callSheetEndpoint, SheetLead } from '#contract/calling/calls.ts';
import { recordShownVerdicts } from '#server/evidence/record-shown-verdicts.ts';
import type { Input } from '#server/http/route.ts';
import { isUuid, ownList } from '#server/runs/rows.ts';
import { readClock } from './clock.ts';
import type { CallsCtx, JudgedLead } from './desk.ts';
import { takeLease } from './leases.ts';
import { loggedCall, ownUnsaid, unsaidWithoutLead } from './logged-call.ts';
import { nextLead } from './next-lead.ts';
import { readContact, sheetLead } from './sheet-lead.ts';
import { countSheet, type Round, readCallBacks, readOpen } from './waiting-leads.ts';

/**
 * What a call sheet of one of the caller's lists shows now: the lead that it shows already, else one whose call still lacks an outcome,
 * else the next. Those whose call lacks an outcome come round at last. A lead that is shown is never swapped for another.
 * @throws NOT_FOUND
 */
export async function openCallSheet(
  ctx: CallsCtx,
  { query, body: { session, keep, call, after, passed = [] } }: Input<typeof callSheetEndpoint>,
): Promise<CallSheet> {
  const { deps, user } = ctx;
  const list = await ownList(deps.db, user.userId, query.listId);
  const at = await readClock(deps.db);
  const round = { listId: list.id, sandbox: list.sandbox ?? false, at };
  const counts = await countSheet(deps.db, round);
  const sheet = { at: new Date(at).toISOString(), practice: round.sandbox, counts };

  if (keep !== undefined || call !== undefined) {
    const unsaid = call === undefined ? undefined : await ownUnsaid(deps.db, user.userId, call);
    const kept = await keepLead(ctx, round, session, keep, unsaid?.number);
    if (kept) return { state: 'lead', lead: kept, ...sheet };
    return {
      state: 'gone',
      number: unsaid?.number ?? null,
      call: unsaid ? loggedCall(unsaid, user.userId) : null,
      ...sheet,
    };
  }
  const choice = {
    userId: user.userId,
    session,
    behind: [...passed, ...(after === undefined ? [] : [after])].filter(isUuid),
  };
  const unsaidCall = async (): Promise<CallSheet | undefined> => {
    const lead = await keepLead(ctx, round, session, await readOpen(deps.db, round, choice));
    if (lead) return { state: 'lead', lead, ...sheet };
    const unsaid = await unsaidWithoutLead(deps.db, user.userId, round);
    return unsaid && { state: 'gone', number: unsaid.number, call: loggedCall(unsaid, user.userId), ...sheet };
  };
  const first = after === undefined ? await unsaidCall() : undefined;
  if (first) return first;

  const next = await nextLead(ctx, round, choice);
  if (next.state === 'found') {
    const lead = await showLead(ctx, round, next.judged, false);
    // It was deleted a moment ago, and is not among those that wait anymore.
    return lead ? { state: 'lead', lead, ...sheet } : openCallSheet(ctx, { query, body: { session, after, passed } });
  }
  const last = await unsaidCall();
  if (last) return last;
  if (counts.left === 0 && counts.callBacks === 0 && counts.open === 0)
    return { state: counts.done > 0 ? 'done' : 'empty', ...sheet };
  const { held, inUse } = next;
  const moments = [next.nextAt, ...(await callBackTimes(ctx, round))].filter((one) => one !== undefined);
  return {
    state: 'waiting',
    held,
    inUse,
    nextAt: moments.length > 0 ? new Date(Math.min(...moments)).toISOString() : null,
    ...sheet,
  };
}

/** When those who asked to be called back later may be called then, in ms since 1970. */
async function callBackTimes({ deps, desk }: CallsCtx, round: Round): Promise<number[]> {
  const callBacks = await readCallBacks(deps.db, round);
  if (callBacks.size === 0) return [];
  const isOne = sql<boolean>`lead.id = any(${[...callBacks.keys()]}::uuid[])`;
  const judged = await desk.judge(deps.db, isOne, round.at, callBacks);
  return judged.flatMap(({ nextAt }) => nextAt ?? []);
}

/** The lead that a sheet shows already, judged again; undefined once it is gone, or has another number than was called. */
async function keepLead(
  ctx: CallsCtx,
  round: Round,
  session: string,
  leadId: string | undefined,
  called?: string,
): Promise<SheetLead | undefined> {
  if (leadId === undefined) return undefined;
  const contact = await readContact(ctx.deps.db, round.listId, leadId);
  if (!contact || (called !== undefined && contact.number !== called)) return undefined;
  const lead = { ...contact, sandbox: round.sandbox };
  const isKept = await takeLease(ctx.deps.db, lead, { userId: ctx.user.userId, session }, round.at);
  const [judged] = await ctx.desk.judge(ctx.deps.db, sql`lead.id = ${contact.id}::uuid`, round.at);
  return judged && showLead(ctx, round, judged, !isKept);
}

async function showLead(
  { deps, user }: CallsCtx,
  { listId, sandbox, at }: Round,
  judged: JudgedLead,
  isInUse: boolean,
): Promise<SheetLead | undefined> {
  const contact = await readContact(deps.db, listId, judged.id);
  if (!contact) return undefined;
  const lead = await sheetLead(deps.db, user.userId, { listId, sandbox, at }, contact, judged, isInUse);
  const { verdict, window, reasons } = lead.callability;
  const { opensAt, closesAt } = window;
  await recordShownVerdicts(deps, { view: 'sheet', actor: user.userId, list: listId, sandbox, at }, [
    { lead: contact.id, number: contact.number, verdict, opensAt, closesAt, reasons },
  ]);
  return lead;
}
