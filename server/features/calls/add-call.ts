import { sql } from 'kysely';
import type { LoggedCall } from '#contract/calling/calls.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { CalledNumber } from './called-lead.ts';

/**
 * Keeps everyone else from beginning or logging a call to a number, or to another of its business, until the transaction ends: caps are
 * counted under it.
 */
export async function lockNumber(tx: Tx, { number, sandbox }: Pick<CalledNumber, 'number' | 'sandbox'>): Promise<void> {
  // In one order for all who lock several.
  await sql`
    select pg_advisory_xact_lock(hashtextextended('call to ' || one.number || ${` ${sandbox}`}, 0))
    from (select number from unnest(${BESIDE({ number, sandbox })} || ${number}::text) as beside (number) order by number) as one
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
