import { sql } from 'kysely';
import { MOST_PLACES } from '#contract/work/surveys.ts';
import type { Db } from '#db/connection/client.ts';
import { ProviderError } from '#providers/provider.ts';
import { resolveArea } from '#server/features/search/area/resolve-area.ts';
import { RunStopped } from '#server/paid-calls/run-stopped.ts';
import type { KindDefinition, RunContext } from '#server/runs/run-context.ts';
import { countByGoogle } from './count-by-google.ts';
import { readSurvey } from './open-survey.ts';
import { probe } from './probe.ts';
import { readArea, SurveyInput, type SurveyRow } from './survey.ts';
import { takeSurvey } from './take-survey.ts';

/** Counts the places of an area for nothing, or pays for Google's own count. */
export const surveyKind: KindDefinition = {
  provider: 'google_places',
  async execute(context) {
    const input = SurveyInput.parse(context.run.input);
    const survey = await readSurvey(context.deps.db, 'countOf' in input ? input.countOf : input.surveyId);
    if (!survey) return undefined;
    await ('countOf' in input ? countByGoogle(context, survey) : finishSurvey(context, survey));
    return undefined;
  },
};

/** Goes on with a survey until it is done, and says in its row how it ended. @throws ProviderError or RunStopped. */
export async function finishSurvey(context: RunContext, survey: SurveyRow): Promise<void> {
  const { db } = context.deps;
  const finder = context.deps.providers.placeFinder(context.key.apiKey);
  const spec = readArea(survey.area);
  // A new search looks the place up again, and has a survey of its own.
  if (!spec) return stop(db, survey.id, 'It is more than 30 days old. Start a new search.');
  const area = resolveArea(spec, survey.label);
  const surveying = { context, finder, survey, area };
  // The run before it may have said that it was stopped after this one had begun.
  await sql`update app.surveys set state = 'counting', why = null, out_of_quota = false, resume_at = null where id = ${survey.id}`.execute(
    db,
  );
  try {
    const end = await takeSurvey(surveying, { places: await countPlaces(db, survey.id) });
    if (end.state === 'too many')
      return await stop(
        db,
        survey.id,
        `The area holds more than ${MOST_PLACES.toLocaleString('en-US')} places. Search smaller areas.`,
      );
    const reprobe = await probe(surveying);
    await sql`
      update app.surveys set state = 'counted', why = null, passes = passes + 1, finished_at = now(),
        reprobe = ${JSON.stringify(reprobe)}::jsonb
      where id = ${survey.id}
    `.execute(db);
  } catch (error) {
    const why = whyOf(error);
    if (why !== undefined) await stop(db, survey.id, why, isOutOfQuota(error));
    throw error;
  }
}

/** What a survey says of its end; undefined when another process goes on with it. */
function whyOf(error: unknown): string | undefined {
  if (error instanceof ProviderError) return error.message;
  if (error instanceof RunStopped && error.reason === 'cancelled') return 'You stopped it.';
  return undefined;
}

const isOutOfQuota = (error: unknown): boolean => error instanceof ProviderError && error.kind === 'out_of_credit';

async function stop(db: Db, surveyId: string, why: string, outOfQuota = false): Promise<void> {
  await sql`
    update app.surveys set state = 'stopped', why = ${why}, out_of_quota = ${outOfQuota} where id = ${surveyId}
  `.execute(db);
}

async function countPlaces(db: Db, surveyId: string): Promise<number> {
  const { rows } = await sql<{ places: number }>`
    select count(*)::integer as places from app.survey_places where survey_id = ${surveyId}
  `.execute(db);
  return rows[0]?.places ?? 0;
}
