import { sql } from 'kysely';
import { CALL_VERDICTS } from '#contract/calling/call-verdicts.ts';
import type { CallSheet } from '#contract/calling/calls.ts';
import { pause } from '#server/lib/pause.ts';
import type { CallsCtx, JudgedLead } from './desk.ts';
import { takeLease } from './leases.ts';
import { type Choice, type Round, readWaiting, type WaitingLead } from './waiting-leads.ts';

/** Read at first: mostly the next lead is among them. */
const FIRST = 100;
/** Leads judged before others have their turn. */
const AT_ONCE = 2_000;

type Held = Extract<CallSheet, { state: 'waiting' }>['held'];

/** The lead to call next, kept for this sheet; or why there is none. `nextAt` in ms since 1970. */
export type Next =
  | { state: 'found'; judged: JudgedLead }
  | { state: 'none'; held: Held; inUse: number; nextAt: number | undefined };

/** Finds the first waiting lead that may be called now and that no other sheet has. */
export async function nextLead(ctx: CallsCtx, round: Round, choice: Choice): Promise<Next> {
  const { deps, user, signal, desk } = ctx;
  const none = { held: Object.fromEntries(CALL_VERDICTS.map((one) => [one, 0])) as Held, inUse: 0 };
  let nextAt: number | undefined;
  const visit = async (leads: readonly WaitingLead[]): Promise<JudgedLead | undefined> => {
    const ids = leads.map(({ id }) => id);
    const judged = new Map(
      (await desk.judge(deps.db, sql`lead.id = any(${ids}::uuid[])`, round.at)).map((one) => [one.id, one]),
    );
    for (const { id, number, isInUse } of leads) {
      const one = judged.get(id);
      if (!one) continue;
      if (!one.mayCall) {
        none.held[one.callability.verdict] += 1;
        if (one.nextAt !== undefined) nextAt = Math.min(nextAt ?? one.nextAt, one.nextAt);
      } else if (
        isInUse ||
        !(await takeLease(
          deps.db,
          { id, number, sandbox: round.sandbox },
          { userId: user.userId, session: choice.session },
          round.at,
        ))
      )
        none.inUse += 1;
      else return one;
    }
    return undefined;
  };

  const first = await readWaiting(deps.db, round, { ...choice, limit: FIRST, offset: 0 });
  const found = await visit(first);
  if (found) return { state: 'found', judged: found };
  const others =
    first.length < FIRST ? [] : await readWaiting(deps.db, round, { ...choice, limit: null, offset: FIRST });
  for (let from = 0; from < others.length; from += AT_ONCE) {
    const next = await visit(others.slice(from, from + AT_ONCE));
    if (next) return { state: 'found', judged: next };
    await pause(0, signal);
  }
  return { state: 'none', ...none, nextAt };
}
