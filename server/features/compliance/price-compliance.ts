import type { ComplianceEstimate } from '#contract/work/compliance.ts';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import { highestRate } from '#server/paid-calls/departure/call-rates.ts';
import { countKnown, type Memory } from '#server/paid-calls/memory/count-known.ts';
import { leadsToCome } from '#server/runs/leads-to-come.ts';
import { scrubOperation } from './scrub-operation.ts';
import { sortPhones } from './sort-phones.ts';

/**
 * Returns the most that a check of a list, or of some of its leads, can cost: for its dialog, and for its run's bound.
 * What is known costs nothing. Each lead that a search may still bring counts as one number.
 */
export async function priceCompliance(
  db: Db | Tx,
  memory: Memory,
  listId: string,
  leadIds?: readonly string[],
): Promise<Omit<ComplianceEstimate, 'elsewhere'>> {
  const { leads, suppressed, withoutPhone, notUs, numbers, expired } = await sortPhones(db, listId, leadIds);
  const { known, lost } = await countKnown(db, memory, scrubOperation, [...numbers.keys()]);
  const rateMicros = await highestRate(db, memory.userId, 'searchbug');
  const callMicros = Math.max(rateMicros ?? 0, scrubOperation.estimateMicros);
  const toCheck = numbers.size - known - lost;
  const toCome = leadIds ? 0 : await leadsToCome(db, listId);
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
