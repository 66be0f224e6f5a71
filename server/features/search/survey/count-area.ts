import { sql } from 'kysely';
import type { DataOf } from '#contract/endpoint.ts';
import { MISSING_KEY } from '#contract/providers.ts';
import type { AreaCountRequest, countAreaEndpoint, SurveyCount } from '#contract/work/search/surveys.ts';
import type { Db } from '#db/connection/client.ts';
import { openApiKey } from '#server/api-keys/api-key.ts';
import { largeSquareMiles } from '#server/features/search/area/large-area.ts';
import { locateArea } from '#server/features/search/area/locate-area.ts';
import { NEXT_DAY } from '#server/features/search/next-day.ts';
import { openKnownOf } from '#server/features/search/open/known-matches.ts';
import type { Ctx } from '#server/http/context.ts';
import { AppError } from '#server/lib/app-error.ts';
import { startRunOfNoList } from '#server/runs/start/start-run-of-no-list.ts';
import { priceSurvey } from './estimates/price-survey.ts';
import { countFailed, findSurvey, openRunOf, openSurvey, readSurvey, reopen, searchCounting } from './open-survey.ts';
import { mostFreeCalls, readProgress } from './read-progress.ts';
import { queriesOf, type SurveyRow } from './survey.ts';

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
  atLimit: false,
  again: null,
  bySearchOf: null,
  unplaced: 0,
  outOfQuota: false,
  resumeAt: null,
};

/**
 * Begins or continues the survey of an area, and returns how far it is. It never pays.
 * @throws MISSING_API_KEY, UNKNOWN_PLACE
 * @throws VALIDATION_FAILED when the area is not valid.
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
      sandbox: key.sandbox,
    };

  const known = await findSurvey(db, memory, located.spec, request);
  const squareMiles = largeSquareMiles(located.area);
  if (squareMiles !== undefined && !known && !request.large) {
    const large = { largeSquareMiles: squareMiles, largeCalls: mostFreeCalls(queriesOf(request).length) };
    return { ...NOTHING, state: 'stopped', why: null, lookUpMicros: 0, ...large };
  }
  const survey = request.watch ? known : await openSurvey(db, memory, located, request);
  if (!survey) return { ...NOTHING, state: 'stopped', why: null, lookUpMicros: 0 };
  if (request.tomorrow) await goOnTomorrow(db, survey.id);
  else if (!request.watch && (await isToGoOn(db, survey, request))) await goOn(ctx, survey, request);
  // Its run is read first: a run that ends in between has noted it in the survey's row.
  const isOpen = (await openRunOf(db, survey.id)) !== undefined;
  const now = (await readSurvey(db, survey.id)) ?? survey;
  const { onlyNew = false, source } = request;
  const open = await openKnownOf(db, memory, source, { queries: queriesOf(request), area: located.area });
  const { fromOpen: matched, ...price } = await priceSurvey(
    db,
    memory,
    { id: survey.id, area: located.area },
    { onlyNew, openIds: open?.placeIds ?? new Set() },
  );
  const openData = open ? { openData: { places: open.places, sources: open.sources, matched } } : {};
  const { state, why } = stateOf(now, isOpen);
  const progress = state === 'counting' ? await readProgress(db, now) : { share: 0, etaSeconds: null, again: null };
  const gaps = await countFailed(db, now.id);
  const resumeAt = isOpen ? null : (now.resume_at?.toISOString() ?? null);
  const waits = { outOfQuota: !isOpen && now.out_of_quota, resumeAt };
  const bySearchOf = isOpen ? await searchCounting(db, now.id) : null;
  const about = {
    surveyId: now.id,
    sandbox: now.sandbox,
    state,
    why,
    gaps,
    bySearchOf,
    atLimit: state === 'stopped' && now.at_limit,
  };
  return { ...about, freeCalls: now.free_calls, lookUpMicros: 0, ...progress, ...waits, ...price, ...openData };
}

/** Whether anything is left to look at. */
async function isToGoOn(db: Db, survey: SurveyRow, { again }: AreaCountRequest): Promise<boolean> {
  if (await openRunOf(db, survey.id)) return false;
  return again === true || survey.state !== 'counted' || (await countFailed(db, survey.id)) > 0;
}

async function goOnTomorrow(db: Db, surveyId: string): Promise<void> {
  await sql`update app.surveys set resume_at = ${NEXT_DAY} where id = ${surveyId} and state = 'stopped'`.execute(db);
}

async function goOn(ctx: Ctx, survey: SurveyRow, { again }: AreaCountRequest): Promise<void> {
  const { db } = ctx.deps;
  if (again && survey.state === 'counted') await reopen(db, survey.id);
  await startRunOfNoList(ctx, {
    kind: 'survey',
    name: survey.label,
    input: { surveyId: survey.id },
    sandbox: survey.sandbox,
    boundMicros: async () => 0,
  });
}

/** The state of a survey. It counts only while a run works on it, because a run may have ended before it could say so. */
function stateOf(
  { state, why }: Pick<SurveyRow, 'state' | 'why'>,
  isOpen: boolean,
): Pick<SurveyCount, 'state' | 'why'> {
  if (isOpen) return { state: 'counting', why: null };
  return { state: state === 'counted' ? 'counted' : 'stopped', why };
}
