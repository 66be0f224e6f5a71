import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod/mini';
import { prices } from '#providers/prices.ts';
import { resolveArea } from '#server/features/search/area/resolve-area.ts';
import { lostAnswer } from '#server/features/search/place/locate.ts';
import { REMEMBER_PAGE_MS } from '#server/features/search/search-operations.ts';
import { AppError } from '#server/lib/app-error.ts';
import type { Operation } from '#server/paid-calls/operation.ts';
import { pay } from '#server/paid-calls/pay.ts';
import type { RunContext } from '#server/runs/run-context.ts';
import { type Countable, countableOf } from './counted-area.ts';
import { readArea, type SurveyRow } from './survey.ts';

const Counted = z.object({ count: z.number() });
type Counted = z.infer<typeof Counted>;

/** Subject: the types, and a hash of the area. */
const areaCountOperation: Operation<Counted> = {
  provider: 'google_places',
  name: 'area_count',
  estimateMicros: prices.googleAreaCountMicros,
  readAnswer: (stored) => Counted.safeParse(stored).data,
};

/**
 * Asks Google how many places it counts in the area of a survey, and keeps that beside what was found.
 * @throws what `pay` throws.
 */
export async function countByGoogle(context: RunContext, survey: SurveyRow): Promise<void> {
  const countable = countableOfSurvey(survey);
  if (!countable) throw new AppError('VALIDATION_FAILED', 'Google cannot count this area.');
  const { types, area } = countable;
  const finder = context.deps.providers.placeFinder(context.key.apiKey);
  const place = createHash('sha256').update(JSON.stringify(area)).digest('hex').slice(0, 16);
  const subject = `${types.toSorted().join('+')} in ${place}`;
  const outcomes = await pay(context, {
    operation: areaCountOperation,
    subjects: [subject],
    async send() {
      const count = await finder.countArea(types, area);
      const bought = { costMicros: prices.googleAreaCountMicros, rememberMs: REMEMBER_PAGE_MS };
      return new Map([[subject, { answer: { count }, ...bought }]]);
    },
  });
  const outcome = outcomes.get(subject);
  if (outcome?.state !== 'answered') throw lostAnswer();
  const { count } = outcome.answer;
  await sql`update app.surveys set aggregate_count = ${count}::integer where id = ${survey.id}`.execute(
    context.deps.db,
  );
}

/** The part of a survey that Google can count by itself. Undefined when it cannot. */
export function countableOfSurvey(survey: SurveyRow): Countable | undefined {
  const spec = readArea(survey.area);
  return spec && countableOf(spec, resolveArea(spec, survey.label), survey.queries);
}
