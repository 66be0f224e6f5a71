import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import { AppError } from '#server/lib/app-error.ts';
import { DIGEST, isChosen, type SettledChoice } from './chosen-leads.ts';

/**
 * Refuses to take away, or to pay for, leads that no one has chosen: a filter may fit others by now, because leads came or changed, or
 * time went on.
 * @throws CONFLICT
 */
export async function refuseOthers(
  db: Db | Tx,
  listId: string,
  choice: SettledChoice,
  { count, digest }: { count?: number | undefined; digest: string | undefined },
): Promise<void> {
  if (count === undefined && digest === undefined) return;
  const { rows } = await sql<{ leads: number; digest: string }>`
    select count(*) filter (where ${isChosen(listId, choice)})::integer as leads, ${DIGEST} as digest
    from public.leads as lead where ${isChosen(listId, { matching: choice.matching })}
  `.execute(db);
  const [now] = rows;
  if (!now) throw new Error('A count returned no row.');
  if (count !== undefined && now.leads > count) {
    const [leads, chosen] = [now.leads, count].map((one) => one.toLocaleString('en-US'));
    throw changed(`${leads} leads fit it now, and ${chosen} did before`);
  }
  if (digest !== undefined && now.digest !== digest) throw changed('it fits other leads now than before');
}

const changed = (how: string) => new AppError('CONFLICT', `Your selection has changed: ${how}. Select them again.`);
