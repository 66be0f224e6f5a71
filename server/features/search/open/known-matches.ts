import { sql } from 'kysely';
import { MOST_OPEN_LEADS } from '#contract/work/search/search-open.ts';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { Memory } from '#server/paid-calls/memory/count-known.ts';
import type { ListRunContext } from '#server/runs/run-context.ts';
import { findOpen, type OpenQuery, openIdOf, sourcesOf } from './find-open.ts';
import { kindOfOpen } from './kind-of-open.ts';

/** What open data has for a search, and from where. `placeIds`: Google's ids of its places that were matched before. */
export type OpenKnown = { places: number; sources: string[]; placeIds: ReadonlySet<string> };

/** `listId`: of the list that the search fills, where there is one. */
export type OpenMemory = Memory & { listId?: string | undefined };

/**
 * Reads what open data brings to a search, and which of Google's places are known to be among it.
 * An id alone says nothing: a place is known only once a paid page has shown the match.
 * - `runId`: of the search. What its own pages showed does not count: taken up again, it has as much room left as it had.
 * @throws CONFLICT when nothing is loaded.
 */
export async function knownMatches(
  db: Db | Tx,
  { userId, sandbox, listId }: OpenMemory,
  query: Omit<OpenQuery, 'kind'>,
  runId?: string,
): Promise<OpenKnown> {
  const kind = await kindOfOpen(db, { userId, listKind: sandbox, listId });
  const found = await findOpen(db, { ...query, kind });
  const keys = found.keys.slice(0, MOST_OPEN_LEADS);
  const { rows } = await sql<{ place_id: string }>`
    select distinct place_id from app.open_matches
    where user_id = ${userId} and sandbox = ${sandbox} and open_id = any(${keys.map(openIdOf)}::text[])
      and ${runId === undefined ? sql`true` : wasKnown(runId)}
  `.execute(db);
  return { places: keys.length, sources: sourcesOf(found), placeIds: new Set(rows.map((row) => row.place_id)) };
}

/** The same for a search that asks open data first. Others leave nothing out for it. */
export const openKnownOf = async (
  db: Db | Tx,
  memory: OpenMemory,
  source: string | undefined,
  query: Omit<OpenQuery, 'kind'>,
): Promise<OpenKnown | undefined> => (source === 'open_first' ? knownMatches(db, memory, query) : undefined);

/** Whether a match was known when a run began. */
const wasKnown = (runId: string) => sql<boolean>`matched_at < (select started_at from app.runs where id = ${runId})`;

/** Gives the leads of a run's list that come from open data the ids of Google's places that they were known to be when it began. */
export async function putKnownIds(tx: Tx, { id, listId }: ListRunContext['run']): Promise<void> {
  await sql`
    update public.leads as lead set place_id = known.place_id
    from (
      select distinct on (match.place_id) wanted.id, match.place_id
      from public.leads as wanted join public.lists as list on list.id = wanted.list_id
        join app.open_matches as match on match.user_id = list.user_id and match.open_id = wanted.open_id
          and match.sandbox = coalesce(list.sandbox, false) and ${wasKnown(id)}
      where wanted.list_id = ${listId} and wanted.place_id is null
      order by match.place_id, wanted.position
    ) as known
    where lead.id = known.id and not exists (
      select from public.leads as other where other.list_id = ${listId} and other.place_id = known.place_id
    )
  `.execute(tx);
}
