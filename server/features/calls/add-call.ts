import { sql } from 'kysely';
import type { LoggedCall } from '#contract/calling/calls.ts';
import { MOST_CAP_HOURS } from '#contract/calling/rules.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { CalledNumber } from './called-lead.ts';

/**
 * Keeps everyone else from beginning or logging a call to a number, or to another of its business, until the transaction ends: caps are
 * counted under it. The number may have been found after calls to those others, which count for it from now on.
 */
export async function lockNumber(tx: Tx, { number, sandbox }: Pick<CalledNumber, 'number' | 'sandbox'>): Promise<void> {
  // In one order for all who lock several.
  await sql`
    select pg_advisory_xact_lock(hashtextextended('call to ' || one.number || ${` ${sandbox}`}, 0))
    from (select number from unnest(${BESIDE({ number, sandbox })} || ${number}::text) as beside (number) order by number) as one
  `.execute(tx);
  await sql`
    update app.calls set beside = beside || ${number}::text
    where phone = any(${BESIDE({ number, sandbox })}) and sandbox = ${sandbox} and not ${number}::text = any(beside)
      and called_at > app.call_clock() - ${MOST_CAP_HOURS + 1} * interval '1 hour'
  `.execute(tx);
}

/** The other numbers of a business, for which its calls count as well. */
const BESIDE = ({ number, sandbox }: Pick<CalledNumber, 'number' | 'sandbox'>) =>
  sql<string[]>`app.numbers_beside(${number}, ${sandbox}, true)`;

type NewCall = { id: string; userId: string; verdict: LoggedCall['verdict']; calledAt: number };

/** Stores a call that has no outcome yet. `calledAt` in ms since 1970. */
export async function addCall(tx: Tx, lead: CalledNumber, { id, userId, verdict, calledAt }: NewCall): Promise<void> {
  await tx
    .insertInto('app.calls')
    .values({
      id,
      user_id: userId,
      verdict,
      phone: lead.number,
      beside: BESIDE(lead),
      sandbox: lead.sandbox,
      list_id: lead.listId,
      lead_id: lead.id,
      called_at: new Date(calledAt),
    })
    .execute();
}
