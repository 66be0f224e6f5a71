import { sql } from 'kysely';
import type { DataOf } from '#contract/endpoint.ts';
import type { AreaCountRequest, countAreaEndpoint } from '#contract/work/surveys.ts';
import type { Db } from '#db/connection/client.ts';
import { openApiKey } from '#server/api-keys/api-key.ts';
import type { Ctx } from '#server/http/context.ts';
import { AppError } from '#server/lib/app-error.ts';
import { SPACING } from '#server/paid-calls/departure/departures.ts';
import { MISSING_KEY } from '#server/runs/start/missing-key.ts';
import { startRunOfNoList } from '#server/runs/start/start-run-of-no-list.ts';
import { locateArea, openRunOf, openSurvey, readSurvey, reopen } from './open-survey.ts';
import { priceSurvey } from './price-survey.ts';
import type { SurveyRow } from './survey.ts';

const NOTHING = { found: 0, unlisted: 0, leaves: 0, freeCalls: 0, paidPages: 0, boundMicros: 0, etaSeconds: null };

/**
 * Begins or continues the survey of an area, and says how far it is. Never pays.
 * @throws MISSING_API_KEY, UNKNOWN_PLACE, VALIDATION_FAILED for an area that is none.
 */
export async function countArea(ctx: Ctx, request: AreaCountRequest): Promise<DataOf<typeof countAreaEndpoint>> {
  const { deps, user } = ctx;
  const { db } = deps;
  const key = await openApiKey(deps, user.userId, 'google_places');
  if (!key) throw new AppError('MISSING_API_KEY', MISSING_KEY.google_places);
  const memory = { userId: user.userId, sandbox: key.sandbox };
  const located = await locateArea(db, memory, request);
  if ('lookUpMicros' in located)
    return {
      ...NOTHING,
      state: 'stopped',
      why: 'The place must be looked up first.',
      lookUpMicros: located.lookUpMicros,
    };

  const survey = await openSurvey(db, memory, located, request);
  if (!request.watch && (await isToGoOn(db, survey, request))) await goOn(ctx, survey, request);
  const now = (await readSurvey(db, survey.id)) ?? survey;
  const price = await priceSurvey(db, memory, survey.id, request.onlyNew === true);
  const etaSeconds = now.state === 'counting' ? await secondsLeft(db, now) : null;
  return { state: readState(now), why: now.why, freeCalls: now.free_calls, etaSeconds, lookUpMicros: 0, ...price };
}

/** Whether there is something left to look at. */
async function isToGoOn(db: Db, survey: SurveyRow, { again }: AreaCountRequest): Promise<boolean> {
  if (await openRunOf(db, survey.id)) return false;
  return again === true || survey.state !== 'counted' || (await hasFailed(db, survey.id));
}

async function goOn(ctx: Ctx, survey: SurveyRow, { again }: AreaCountRequest): Promise<void> {
  const { db } = ctx.deps;
  if (again && survey.state === 'counted') await reopen(db, survey.id);
  await sql`update app.surveys set state = 'counting', why = null where id = ${survey.id}`.execute(db);
  await startRunOfNoList(ctx, {
    kind: 'survey',
    name: survey.label,
    input: { surveyId: survey.id },
    boundMicros: async () => 0,
  });
}

const readState = ({ state }: SurveyRow) => (state === 'counted' || state === 'stopped' ? state : 'counting');

async function hasFailed(db: Db, surveyId: string): Promise<boolean> {
  const { rows } = await sql`
    select from app.survey_tiles where survey_id = ${surveyId} and state = 'failed' limit 1
  `.execute(db);
  return rows.length > 0;
}

/** Free calls that a tile needs on average, by those that were needed so far. */
const CALLS_PER_TILE = 3;

/** From how much of the area was looked into so far; null until something was. */
async function secondsLeft(db: Db, survey: SurveyRow): Promise<number | null> {
  const { rows } = await sql<{ done: number; open: number }>`
    select coalesce(sum((north - south)::float8 * (east - west)) filter (where state <> 'open'), 0) as done,
      coalesce(sum((north - south)::float8 * (east - west)) filter (where state = 'open'), 0) as open
    from app.survey_tiles where survey_id = ${survey.id} and state <> 'outside'
  `.execute(db);
  const [{ done, open } = { done: 0, open: 0 }] = rows;
  if (done === 0) return null;
  const [spacing] = SPACING.google_places;
  const perSecond = spacing ? spacing.calls / (spacing.windowMs / 1_000) : 1;
  const callsLeft = Math.max(CALLS_PER_TILE, (survey.free_calls * open) / done);
  return Math.ceil(callsLeft / perSecond);
}
