import type { Tx } from '#db/connection/tx.ts';
import { costOfChecks } from '#server/paid-calls/ledger/cost-of-checks.ts';
import type { ListRunContext } from '#server/runs/run-context.ts';

/** What a list's checks have cost is written when a run ends; an answer that comes after that may cost something else than was booked. */
export async function storeLateCost(tx: Tx, { listId }: ListRunContext['run']): Promise<void> {
  await tx
    .updateTable('lists')
    .set({ compliance_cost_micros: await costOfChecks(tx, listId) })
    .where('id', '=', listId)
    .execute();
}
