import { sql } from 'kysely';
import type { DataOf } from '#contract/endpoint.ts';
import type { AreaCountRequest, countAreaEndpoint, SurveyCount } from '#contract/work/surveys.ts';
import type { Db } from '#db/connection/client.ts';
import { openApiKey } from '#server/api-keys/api-key.ts';
import { largeSquareMiles } from '#server/features/search/area/large-area.ts';
import { locateArea } from '#server/features/search/area/locate-area.ts';
import type { Ctx } from '#server/http/context.ts';
import { AppError } from '#server/lib/app-error.ts';
import { SPACING } from '#server/paid-calls/departure/departures.ts';
import { MISSING_KEY } from '#server/runs/start/missing-key.ts';
import { startRunOfNoList } from '#server/runs/start/start-run-of-no-list.ts';
import { findSurvey, openRunOf, openSurvey, readSurvey, reopen } from './open-survey.ts';
import { priceSurvey } from './price-survey.ts';
import type { SurveyRow } from './survey.ts';

const NOTHING = {
  found: 0,
  unlisted: 0,
  leaves: 0,
  freeCalls: 0,
  paidPages: 0,
  boundMicros: 0,
  share: 0,
  etaSeconds: null,
  gaps: 0,
  outOfQuota: false,
  resumeAt: null,
};

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

  const known = await findSurvey(db, memory, located.spec, request);
  const squareMiles = largeSquareMiles(located.area);
  if (squareMiles !== undefined && !known && !request.large)
    return { ...NOTHING, state: 'stopped', why: null, lookUpMicros: 0, largeSquareMiles: squareMiles };
  const survey = request.watch ? known : await openSurvey(db, memory, located, request);
  if (!survey) return { ...NOTHING, state: 'stopped', why: null, lookUpMicros: 0 };
  if (request.tomorrow) await goOnTomorrow(db, survey.id);
  else if (!request.watch && (await isToGoOn(db, survey, request))) await goOn(ctx, survey, request);
  // Its run first: a run that ends in between has said so in the survey's row.
  const isOpen = (await openRunOf(db, survey.id)) !== undefined;
  const now = (await readSurvey(db, survey.id)) ?? survey;
  const price = await priceSurvey(db, memory, survey.id, request.onlyNew === true);
  const { state, why } = stateOf(now, isOpen);
  const { share, secondsLeft } = await readProgress(db, now);
  const etaSeconds = state === 'counting' ? secondsLeft : null;
  const gaps = await countFailed(db, now.id);
  const resumeAt = isOpen ? null : (now.resume_at?.toISOString() ?? null);
  const waits = { outOfQuota: !isOpen && now.out_of_quota, resumeAt };
  return { surveyId: now.id, state, why, gaps, share, freeCalls: now.free_calls, etaSeconds, lookUpMicros: 0, ...waits, ...price };
}

/** Whether there is something left to look at. */
async function isToGoOn(db: Db, survey: SurveyRow, { again }: AreaCountRequest): Promise<boolean> {
  if (await openRunOf(db, survey.id)) return false;
  return again === true || survey.state !== 'counted' || (await countFailed(db, survey.id)) > 0;
}

/** A day of Google's quotas begins at midnight in California. */
async function goOnTomorrow(db: Db, surveyId: string): Promise<void> {
  await sql`
    update app.surveys set resume_at =
      (date_trunc('day', now() at time zone 'America/Los_Angeles') + interval '1 day 5 minutes') at time zone 'America/Los_Angeles'
    where id = ${surveyId} and state = 'stopped'
  `.execute(db);
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

/** A survey counts only while a run is at it: one may have ended before it could say so. */
function stateOf(
  { state, why }: Pick<SurveyRow, 'state' | 'why'>,
  isOpen: boolean,
): Pick<SurveyCount, 'state' | 'why'> {
  if (isOpen) return { state: 'counting', why: null };
  return { state: state === 'counted' ? 'counted' : 'stopped', why };
}

async function countFailed(db: Db, surveyId: string): Promise<number> {
  const { rows } = await sql<{ failed: number }>`
    select count(*)::integer as failed from app.survey_tiles where survey_id = ${surveyId} and state = 'failed'
  `.execute(db);
  return rows[0]?.failed ?? 0;
}

/** Free calls that a tile needs on average, by those that were needed so far. */
const CALLS_PER_TILE = 3;

/** By how much of the area was looked at so far. The seconds are null until something was. */
async function readProgress(db: Db, survey: SurveyRow): Promise<{ share: number; secondsLeft: number | null }> {
  const { rows } = await sql<{ done: number; open: number }>`
    select coalesce(sum((north - south)::float8 * (east - west)) filter (where state <> 'open'), 0) as done,
      coalesce(sum((north - south)::float8 * (east - west)) filter (where state = 'open'), 0) as open
    from app.survey_tiles where survey_id = ${survey.id} and state <> 'outside'
  `.execute(db);
  const [{ done, open } = { done: 0, open: 0 }] = rows;
  if (done === 0) return { share: 0, secondsLeft: null };
  const [spacing] = SPACING.google_places;
  const perSecond = spacing ? spacing.calls / (spacing.windowMs / 1_000) : 1;
  const callsLeft = Math.max(CALLS_PER_TILE, (survey.free_calls * open) / done);
  return { share: done / (done + open), secondsLeft: Math.ceil(callsLeft / perSecond) };
}
