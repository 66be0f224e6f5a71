import { sql } from 'kysely';
import type { DataOf } from '#contract/endpoint.ts';
import type { countedAreasEndpoint } from '#contract/work/search/surveys.ts';
import { readArea } from '#server/features/search/survey/survey.ts';
import type { Ctx } from '#server/http/context.ts';

/** As many as a person looks through. */
const MOST = 20;

/** Lists the areas that the caller has counted with a key of the kind that is connected, and that no list has yet. */
export async function listCounted({ deps: { db }, user }: Ctx): Promise<DataOf<typeof countedAreasEndpoint>> {
  const { rows } = await sql<{ id: string; queries: string[]; label: string; area: unknown; used_at: Date }>`
    select survey.id, survey.queries, survey.label, survey.area, survey.used_at
    from app.surveys as survey join app.provider_keys as key
      on key.user_id = survey.user_id and key.provider = 'google_places' and key.sandbox = survey.sandbox
    where survey.user_id = ${user.userId} and not coalesce((survey.area -> 'located')::boolean, false)
      and not exists (select from app.list_surveys where survey_id = survey.id)
    order by survey.used_at desc, survey.id limit ${MOST}
  `.execute(db);
  const counts = rows.flatMap(({ id: surveyId, queries, label, area: stored, used_at }) => {
    const area = readArea(stored);
    if (!area) return [];
    const about = { surveyId, queries, label, usedAt: used_at.toISOString() };
    if (area.kind === 'circle')
      return { ...about, area: { kind: area.kind, center: area.center }, radius: area.meters };
    // A shape may have thousands of points.
    return { ...about, area: area.kind === 'polygon' ? { kind: 'counted' as const, survey: surveyId } : area };
  });
  return { counts };
}
