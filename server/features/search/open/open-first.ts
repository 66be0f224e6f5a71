import { MOST_OPEN_LEADS } from '#contract/work/search/search-open.ts';
import { guardedTransaction } from '#db/connection/guarded-transaction.ts';
import type { ResolvedArea } from '#server/features/search/area/resolve-area.ts';
import { readRemoved } from '#server/features/search/survey/purchase.ts';
import { lockList } from '#server/runs/rows.ts';
import type { ListRunContext } from '#server/runs/run-context.ts';
import { fillFromOpen } from './fill-from-open.ts';
import { kindOfOpen } from './kind-of-open.ts';
import { putKnownIds } from './known-matches.ts';

/** Puts open data into a run's list before Google is paid for what is missing. A resumed run adds nothing twice. */
export async function fillOpenFirst(
  { deps, run }: ListRunContext,
  what: { queries: readonly string[]; area: Pick<ResolvedArea, 'frames' | 'holds'>; onlyNew: boolean },
): Promise<void> {
  await guardedTransaction(deps.db, async (tx) => {
    if (!(await lockList(tx, run.listId))) return;
    const kind = await kindOfOpen(tx, { userId: run.userId, listKind: run.sandbox, listId: run.listId });
    const removed = await readRemoved(tx, run.id);
    await fillFromOpen(tx, { ...what, kind, listId: run.listId, userId: run.userId, most: MOST_OPEN_LEADS, removed });
    await putKnownIds(tx, run);
  });
}
