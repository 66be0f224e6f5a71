import type { Db } from '#db/connection/client.ts';
import { readSurvey } from '#server/features/search/survey/open-survey.ts';
import type { SurveyRow } from '#server/features/search/survey/survey.ts';
import { AppError } from '#server/lib/app-error.ts';
import { ownList } from '#server/runs/rows.ts';

/**
 * Reads the survey that filled one of the caller's lists.
 * @throws NOT_FOUND, also when the list does not come from the search of a whole area.
 */
export async function surveyOfList(db: Db, userId: string, listId: string): Promise<SurveyRow> {
  const list = await ownList(db, userId, listId);
  const link = await db
    .selectFrom('app.list_surveys')
    .select('survey_id')
    .where('list_id', '=', list.id)
    .executeTakeFirst();
  const survey = link && (await readSurvey(db, link.survey_id));
  if (!survey) throw new AppError('NOT_FOUND', 'This list was not searched for every business of an area.');
  return survey;
}
