import { sql } from 'kysely';
import { LiveMessage } from '#contract/live.ts';
import type { Db } from '#db/connection/client.ts';
import { isKnownKind } from '#server/runs/known-runs.ts';
import { type CostedRun, RUN_COST, toRun } from '#server/runs/public-run.ts';

/** A list in which something has changed: whose it is, and which of its runs it was. */
export type Changed = { userId: string; listId: string; runIds: ReadonlySet<string> };

type Row = { id: string; user_id: string; list: unknown };

/** What there is to tell each owner: lists and runs as they are now, as the data API and GET /api/runs answer them. */
export async function readChanges(db: Db, changed: readonly Changed[]): Promise<Map<string, LiveMessage>> {
  const runIds = changed.flatMap((one) => [...one.runIds]);
  const lists = await sql<Row>`
    select id, user_id, to_jsonb(list) as list from public.lists as list
    where id = any(${changed.map(({ listId }) => listId)}::uuid[])
  `.execute(db);
  const runs = runIds.length
    ? await sql<CostedRun>`
        select run.*, ${RUN_COST} from app.runs as run where id = any(${runIds}::uuid[]) and ${isKnownKind('run')} order by created_at desc
      `.execute(db)
    : { rows: [] };
  const messages = new Map<string, LiveMessage>();
  for (const [userId, own] of Map.groupBy(changed, (one) => one.userId)) {
    const changes = own.map(({ listId }) => ({
      listId,
      list: lists.rows.find((row) => row.id === listId && row.user_id === userId)?.list ?? null,
      runs: runs.rows.filter((run) => run.list_id === listId && run.user_id === userId).map(toRun),
    }));
    // Parsing keeps columns that the contract does not name from ever reaching a client.
    messages.set(userId, LiveMessage.parse({ kind: 'changed', changes }));
  }
  return messages;
}

/** A list that no one needs to hear of anymore is read whenever its page is opened. */
const MOST_RECENT = 2_000;

/** Lists of all people that are being worked on, or were changed since then; at most the newest `MOST_RECENT`. */
export async function readRecent(db: Db, since: Date): Promise<Changed[]> {
  const { rows } = await sql<{ id: string; user_id: string; run_ids: string[] }>`
    select id, user_id, array(
      select run.id from app.runs as run where run.list_id = list.id
        and (run.state in ('queued', 'running') or run.finished_at > ${since})
    ) as run_ids
    from public.lists as list
    where status = 'processing' or updated_at > ${since}
    order by updated_at desc limit ${MOST_RECENT}
  `.execute(db);
  return rows.map(({ id, user_id, run_ids }) => ({ userId: user_id, listId: id, runIds: new Set(run_ids) }));
}
