import type { Insertable } from 'kysely';
import type { Tx } from '#db/connection/tx.ts';
import type { DB } from '#db/types.gen.ts';
import type { RunDeps } from '#server/runs/run-context.ts';

/** Stores a run and its announcement, and returns its id. */
export async function insertRun(tx: Tx, queue: RunDeps['queue'], run: Insertable<DB['app.runs']>): Promise<string> {
  const { id } = await tx.insertInto('app.runs').values(run).returning('id').executeTakeFirstOrThrow();
  await queue.announceRun(tx, id);
  return id;
}
