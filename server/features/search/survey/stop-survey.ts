import { sql } from 'kysely';
import type { DataOf } from '#contract/endpoint.ts';
import type { AreaSearchRequest, stopSurveyEndpoint } from '#contract/work/search/surveys.ts';
import { openApiKey } from '#server/api-keys/api-key.ts';
import { locateArea } from '#server/features/search/area/locate-area.ts';
import type { Ctx } from '#server/http/context.ts';
import { queriesOf, subjectOf } from './survey.ts';

/** Stops the survey of an area, if one is under way. What it found stays. A search that counts the area goes on. */
export async function stopSurvey(
  { deps, user: { userId } }: Ctx,
  request: AreaSearchRequest,
): Promise<DataOf<typeof stopSurveyEndpoint>> {
  const { db } = deps;
  const key = await openApiKey(deps, userId, 'google_places');
  if (!key) return { stopped: false };
  const located = await locateArea(db, { userId, sandbox: key.sandbox }, request);
  if ('lookUpMicros' in located) return { stopped: false };
  const survey = await db
    .selectFrom('app.surveys')
    .select('id')
    .where('user_id', '=', userId)
    .where('sandbox', '=', key.sandbox)
    .where('subject', '=', subjectOf(located.spec, queriesOf(request)))
    .executeTakeFirst();
  // A survey that was to resume by itself does not.
  if (!survey) return { stopped: false };
  await sql`update app.surveys set resume_at = null where id = ${survey.id}`.execute(db);
  const { rows } = await sql`
    with stopped as (
      update app.runs set cancel_requested_at = coalesce(cancel_requested_at, now())
      where user_id = ${userId} and kind = 'survey' and input ->> 'surveyId' = ${survey.id} and state in ('queued', 'running')
      returning id
    )
    select pg_notify('run_cancelled', '') from stopped
  `.execute(db);
  return { stopped: rows.length > 0 };
}
