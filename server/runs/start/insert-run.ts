import { randomUUID } from 'node:crypto';
import type { Insertable, RawBuilder } from 'kysely';
import { togetherAtLast } from '#db/connection/together.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { DB } from '#db/types.gen.ts';
import type { RunDeps } from '#server/runs/run-context.ts';

/** Stores a run and its announcement behind what comes `before`, commits, and returns its id. */
export async function insertRun(
  tx: Tx,
  queue: RunDeps['queue'],
  run: Insertable<DB['app.runs']>,
  before: readonly RawBuilder<unknown>[] = [],
): Promise<string> {
  const id = randomUUID();
  const inserting = tx
    .insertInto('app.runs')
    .values({ ...run, id })
    .compile();
  await togetherAtLast(tx, [...before, inserting, await queue.announcing(id)]);
  return id;
}
