import { sql } from 'kysely';
import type { ComplianceEstimate } from '#contract/work/compliance.ts';
import type { Db } from '#db/connection/client.ts';
import { KEPT } from '#db/connection/kept-statements.ts';
import type { Tx } from '#db/connection/tx.ts';
import { sortPhones } from '#server/calling/sort-phones.ts';
import { rateOf } from '#server/paid-calls/departure/call-rates.ts';
import { counting, type Memory } from '#server/paid-calls/memory/count-known.ts';
import { leadsComing } from '#server/runs/progress/leads-to-come.ts';
import { scrubOperation } from './scrub-operation.ts';

/**
 * Returns the most that a check can cost, for its dialog and for the bound of its run.
 * - It is about a list, or about some of its leads.
 * - What is known costs nothing. Each lead that a search may still bring counts as one number.
 */
export async function priceCompliance(
  db: Db | Tx,
  memory: Memory,
  listId: string,
  leadIds?: readonly string[],
): Promise<Omit<ComplianceEstimate, 'elsewhere' | 'sandbox'>> {
  const { leads, suppressed, withoutPhone, notUs, numbers, expired } = await sortPhones(db, listId, leadIds);
  const { rows } = await sql<{ known: number; lost: number; rate: number | null; coming: number }>`
    ${KEPT} select counted.known, counted.lost, ${rateOf(memory.userId, 'searchbug')} as rate, ${leadsComing(listId)} as coming
    from (${counting(memory, scrubOperation, [...numbers.keys()])}) as counted
  `.execute(db);
  const { known, lost, rate: rateMicros, coming } = rows[0] ?? { known: 0, lost: 0, rate: null, coming: 0 };
  const callMicros = Math.max(rateMicros ?? 0, scrubOperation.estimateMicros);
  const toCheck = numbers.size - known - lost;
  const toCome = leadIds ? 0 : coming;
  return {
    leads,
    suppressed,
    withoutPhone: withoutPhone.length,
    notUs: notUs.length,
    toCheck,
    known,
    lost,
    expired: Math.min(expired, toCheck),
    boundMicros: (toCheck + toCome) * callMicros,
    callMicros,
  };
}
