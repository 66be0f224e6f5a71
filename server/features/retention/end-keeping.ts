import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import { HOLDS_GOOGLES } from '#server/leads/kept-for-good.ts';
import { inBatches } from './in-batches.ts';

const AT_ONCE = 100;

/**
 * Lets lists that are kept for good be archived as others are once they hold a value of Google's, by whatever way it came.
 * Their time begins with that. Safe to repeat, and in several processes at once.
 */
export async function endKeeping(db: Db, signal: AbortSignal): Promise<void> {
  await inBatches(AT_ONCE, signal, () =>
    sql`
      update public.lists set keep = false where id in (
        select id from public.lists as list
        where keep and exists (select from public.leads as lead where lead.list_id = list.id and ${HOLDS_GOOGLES})
        limit ${AT_ONCE} for update skip locked)
    `.execute(db),
  );
}
