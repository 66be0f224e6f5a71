import type { DataOf } from '#contract/endpoint.ts';
import type { googleCountEndpoint } from '#contract/work/search/coverage.ts';
import { countableOfSurvey } from '#server/features/search/survey/count-by-google.ts';
import { readSurvey } from '#server/features/search/survey/open-survey.ts';
import type { Ctx } from '#server/http/context.ts';
import type { Input } from '#server/http/route.ts';
import { AppError } from '#server/lib/app-error.ts';
import { runToEnd } from '#server/runs/run-to-end.ts';
import { startRunOfNoList } from '#server/runs/start/start-run-of-no-list.ts';
import { surveyOfList } from './survey-of-list.ts';

/**
 * Pays Google for its own count of the area of a list.
 * @throws NOT_FOUND
 * @throws VALIDATION_FAILED when Google cannot count this.
 * @throws what startRunOfNoList and runToEnd throw.
 */
export async function askGoogleCount(
  ctx: Ctx,
  { query }: Input<typeof googleCountEndpoint>,
): Promise<DataOf<typeof googleCountEndpoint>> {
  const { db } = ctx.deps;
  const survey = await surveyOfList(db, ctx.user.userId, query.listId);
  const countable = countableOfSurvey(survey);
  if (!countable)
    throw new AppError(
      'VALIDATION_FAILED',
      'Google counts its own business types only, and areas of one piece. Google cannot count this area.',
    );
  await runToEnd(ctx, { kind: 'survey', name: survey.label, begun: query.run }, () =>
    startRunOfNoList(ctx, {
      kind: 'survey',
      name: survey.label,
      input: { countOf: survey.id },
      sandbox: survey.sandbox,
      boundMicros: async () => countable.costMicros,
    }),
  );
  const after = await readSurvey(db, survey.id);
  return { count: after?.aggregate_count ?? 0 };
}
