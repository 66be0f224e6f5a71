import type { AreaSearchRequest } from '#contract/work/search/surveys.ts';
import type { Db } from '#db/connection/client.ts';
import type { Tx } from '#db/connection/tx.ts';
import { findPlace } from '#server/features/search/place/find-place.ts';
import { unknownPlace } from '#server/features/search/place/unknown-place.ts';
import { locateOperation } from '#server/features/search/search-operations.ts';
import { readArea } from '#server/features/search/survey/survey.ts';
import { AppError } from '#server/lib/app-error.ts';
import type { Memory } from '#server/paid-calls/memory/count-known.ts';
import { isUuid } from '#server/runs/rows.ts';
import { type AreaSpec, type ResolvedArea, resolveArea } from './resolve-area.ts';

/** The area of a request, or what it costs to find out where it is. */
export type LocatedArea = { spec: AreaSpec; area: ResolvedArea } | { lookUpMicros: number };

/**
 * Finds out from memory where the area of a request is.
 * @throws VALIDATION_FAILED when the area is not valid.
 * @throws UNKNOWN_PLACE
 */
export async function locateArea(
  db: Db | Tx,
  memory: Memory,
  { area, location, radius }: Pick<AreaSearchRequest, 'area' | 'location' | 'radius'>,
): Promise<LocatedArea> {
  if (area.kind === 'counted') return countedArea(db, memory.userId, area.survey);
  if (area.kind !== 'circle') return { spec: area, area: resolveArea(area) };
  const meters = radius ?? 0;
  if (area.center) {
    const spec = { kind: 'circle', center: area.center, meters } as const;
    return { spec, area: resolveArea(spec, location) };
  }
  const place = await findPlace(db, memory, location ?? '');
  if (place === null) throw unknownPlace(location ?? '');
  if (!place) return { lookUpMicros: locateOperation.estimateMicros };
  const { latitude, longitude, label } = place;
  const spec = { kind: 'circle', center: { latitude, longitude }, meters, located: true } as const;
  return { spec, area: resolveArea(spec, label) };
}

/**
 * Reads the area that one of the caller's surveys has counted.
 * @throws VALIDATION_FAILED when it is no longer known.
 */
export async function countedArea(
  db: Db | Tx,
  userId: string,
  surveyId: string,
): Promise<{ spec: AreaSpec; area: ResolvedArea }> {
  const survey = isUuid(surveyId)
    ? await db
        .selectFrom('app.surveys')
        .select(['area', 'label'])
        .where('id', '=', surveyId)
        .where('user_id', '=', userId)
        .executeTakeFirst()
    : undefined;
  const spec = survey && readArea(survey.area);
  if (!spec) throw new AppError('VALIDATION_FAILED', 'This area is no longer known. Choose it again.');
  return { spec, area: resolveArea(spec, survey.label) };
}
