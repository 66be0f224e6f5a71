import { sql } from 'kysely';
import type { CameFrom } from '#contract/work/lists.ts';
import type { Tx } from '#db/connection/tx.ts';

/** Lists that one is known to have come from. The oldest are forgotten first. */
const MOST_KEPT = 50;

/** Notes in a list from which other it has leads. */
export async function noteOrigin(tx: Tx, listId: string, from: { name: string; how: CameFrom['how'] }): Promise<void> {
  const { rows } = await sql<{ came_from: unknown }>`
    select came_from from public.lists where id = ${listId}
  `.execute(tx);
  const before = rows[0]?.came_from;
  const all = [...(Array.isArray(before) ? before : []), { ...from, at: new Date().toISOString() }].slice(-MOST_KEPT);
  await tx
    .updateTable('lists')
    .set({ came_from: JSON.stringify(all) })
    .where('id', '=', listId)
    .execute();
}
