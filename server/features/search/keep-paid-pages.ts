import { sql } from 'kysely';
import type { Db } from '#db/connection/client.ts';
import { withMeanwhile } from '#server/paid-calls/meanwhile.ts';
import { recall } from '#server/paid-calls/memory/recall.ts';
import { payFromMemory } from '#server/paid-calls/pay.ts';
import type { KeylessContext, ListRunContext } from '#server/runs/run-context.ts';
import { readStored } from './lead-rows.ts';
import { openList } from './list-to-fill.ts';
import { lastPage, pageSubject, SearchInput } from './search-input.ts';
import { locateOperation, pageOperation, placeSubject } from './search-operations.ts';

/**
 * Puts the pages that a search of a circle has paid for into its list, when some are not there.
 * That is so when its process died between a booking and the leads behind it, or when these could not be stored.
 */
export async function keepPaidPages(context: KeylessContext<ListRunContext>): Promise<void> {
  const { deps, run } = context;
  const { data: input } = SearchInput.safeParse(run.input);
  if (!input || !(await lacksPages(deps.db, run.id))) return;
  const subject = placeSubject(input.location);
  const located = (await recall(deps.db, context, locateOperation, [subject])).get(subject);
  const center = located?.state === 'answered' ? located.answer.place : null;
  if (!center) return;
  await withMeanwhile(deps.log, async (meanwhile) => {
    const stored = await readStored(deps.db, run.listId);
    // Where open data left something out, no page is stored behind its booking.
    const list = openList({ context, input, center, openIds: new Set(), meanwhile }, stored);
    for (let page = 1; page <= lastPage(input) && !list.isFull(); page += 1) {
      const subjects = [pageSubject(input, center, page)];
      const [known] = (await payFromMemory(context, { operation: pageOperation, subjects, ...list.storing })).values();
      if (known?.state !== 'answered') return;
      list.pageCame();
    }
  });
}

/** Whether a run has paid for more pages than it has put into its list. */
async function lacksPages(db: Db, runId: string): Promise<boolean> {
  const { rows } = await sql<{ lacks: boolean }>`
    select coalesce((run.totals ->> 'pages')::integer, 0) < (
      select count(*) from app.paid_calls as call
      where call.run_id = run.id and call.operation = ${pageOperation.name} and call.state = 'answered'
    ) as lacks
    from app.runs as run where run.id = ${runId}
  `.execute(db);
  return rows[0]?.lacks ?? false;
}
