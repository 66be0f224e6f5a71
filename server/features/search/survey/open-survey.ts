import { sql } from 'kysely';
import { firstPieces } from '#area/cut/cut.ts';
import type { AreaSearchRequest } from '#contract/work/search/surveys.ts';
import type { Db } from '#db/connection/client.ts';
import { guardedTransaction } from '#db/connection/guarded-transaction.ts';
import type { Tx } from '#db/connection/tx.ts';
import type { AreaSpec, ResolvedArea } from '#server/features/search/area/resolve-area.ts';
import type { Memory } from '#server/paid-calls/memory/count-known.ts';

import { queriesOf, type SurveyRow, subjectOf } from './survey.ts';
import { insertTiles } from './tiles.ts';

/** Opens the survey of an area, and makes one if there is none. */
export async function openSurvey(
  db: Db,
  { userId, sandbox }: Memory,
  { spec, area }: { spec: AreaSpec; area: ResolvedArea },
  request: Pick<AreaSearchRequest, 'query' | 'queries'>,
): Promise<SurveyRow> {
  const queries = queriesOf(request);
  const subject = subjectOf(spec, queries);
  return guardedTransaction(db, async (tx) => {
    const { rows } = await sql<SurveyRow & { made: boolean }>`
      insert into app.surveys (user_id, sandbox, subject, label, area, frames, queries)
      values (${userId}, ${sandbox}, ${subject}, ${area.label}, ${JSON.stringify(spec)}::jsonb,
        ${JSON.stringify(area.frames)}::jsonb, ${queries}::text[])
      on conflict (user_id, sandbox, subject) do update set used_at = now()
      returning *, xmax = 0 as made
    `.execute(tx);
    const [survey] = rows;
    if (!survey) throw new Error('An upsert returned no survey.');
    if (survey.made) for (const at of queries.keys()) await insertTiles(tx, survey.id, at, firstPieces(area.shape));
    return survey;
  });
}

/** Reads the survey of an area, if there is one. */
export const findSurvey = (
  db: Db | Tx,
  { userId, sandbox }: Memory,
  spec: AreaSpec,
  request: Pick<AreaSearchRequest, 'query' | 'queries'>,
): Promise<SurveyRow | undefined> =>
  db
    .selectFrom('app.surveys')
    .selectAll()
    .where('user_id', '=', userId)
    .where('sandbox', '=', sandbox)
    .where('subject', '=', subjectOf(spec, queriesOf(request)))
    .executeTakeFirst();

export const readSurvey = (db: Db | Tx, id: string): Promise<SurveyRow | undefined> =>
  db.selectFrom('app.surveys').selectAll().where('id', '=', id).executeTakeFirst();

/** Finds the open run that counts a survey, or is about to. One that is being stopped does not count. */
export async function openRunOf(db: Db | Tx, surveyId: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from app.runs where state in ('queued', 'running') and cancel_requested_at is null
      and (id = (select run_id from app.surveys where id = ${surveyId}) or kind = 'survey' and input ->> 'surveyId' = ${surveyId})
    limit 1
  `.execute(db);
  return rows[0]?.id;
}

/** The name of the list whose search counts a survey, if one does. */
export async function searchCounting(db: Db, surveyId: string): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    select list.name from app.runs as run join public.lists as list on list.id = run.list_id
    where run.kind = 'search' and run.state in ('queued', 'running') and run.cancel_requested_at is null
      and run.id = (select run_id from app.surveys where id = ${surveyId})
  `.execute(db);
  return rows[0]?.name ?? null;
}

/** Whether a survey has nothing left to count, so that it tells what a search after it costs. */
export async function isPriced(db: Db | Tx, { id, state, at_limit: atLimit }: SurveyRow): Promise<boolean> {
  if (state === 'stopped' && atLimit) return true;
  return state === 'counted' && (await countFailed(db, id)) === 0;
}

/** Counts leaves that gave no answer. */
export async function countFailed(db: Db | Tx, surveyId: string): Promise<number> {
  const { rows } = await sql<{ failed: number }>`
    select count(*)::integer as failed from app.survey_tiles where survey_id = ${surveyId} and state = 'failed'
  `.execute(db);
  return rows[0]?.failed ?? 0;
}

/** Reads leaves that gave no answer, each as a text of its bounds. */
export async function readFailed(db: Db | Tx, surveyId: string): Promise<string[]> {
  const { rows } = await sql<{ leaf: string }>`
    select concat_ws(' ', query, south, west, north, east) as leaf from app.survey_tiles
    where survey_id = ${surveyId} and state = 'failed'
  `.execute(db);
  return rows.map(({ leaf }) => leaf);
}

/** Opens all leaves again for a further pass. What they hold stays. */
export async function reopen(db: Db, surveyId: string): Promise<void> {
  await guardedTransaction(db, async (tx) => {
    await sql`
      update app.survey_tiles set state = 'open' where survey_id = ${surveyId} and state in ('complete', 'saturated', 'failed')
    `.execute(tx);
    await sql`
      update app.surveys set state = 'counting', why = null, finished_at = null where id = ${surveyId}
    `.execute(tx);
  });
}
