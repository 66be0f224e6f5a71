import type { Tx } from '#db/connection/tx.ts';

/** The runs of a list that wait or are at work. */
export const openRuns = (tx: Tx, listId: string) =>
  tx
    .selectFrom('app.runs')
    .select(['id', 'kind', 'input'])
    .where('list_id', '=', listId)
    .where('state', 'in', ['queued', 'running'])
    .execute();
