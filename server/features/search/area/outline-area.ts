import { toDegrees } from '#area/rectangle.ts';
import { FULL_TURN, type Polygon, type Shape } from '#area/shape/shape.ts';
import type { DataOf } from '#contract/endpoint.ts';
import type { OutlineRequest, outlineEndpoint } from '#contract/work/search/coverage.ts';
import { openApiKey } from '#server/api-keys/api-key.ts';
import type { Ctx } from '#server/http/context.ts';
import { locateArea } from './locate-area.ts';
import type { ResolvedArea } from './resolve-area.ts';

/**
 * Returns the outline of an area.
 * @throws VALIDATION_FAILED when the area is not valid.
 * @throws UNKNOWN_PLACE
 */
export async function outlineArea(
  { deps, user: { userId } }: Ctx,
  request: OutlineRequest,
): Promise<DataOf<typeof outlineEndpoint>> {
  const key = await openApiKey(deps, userId, 'google_places');
  const located = await locateArea(deps.db, { userId, sandbox: key?.sandbox ?? false }, request);
  if ('lookUpMicros' in located) return { label: request.location ?? '', outline: null };
  const { label } = located.area;
  const coordinates = inOnePiece(located.area).map((polygon) => polygon.map(closed));
  return { label, outline: { type: 'MultiPolygon', coordinates } };
}

/** Moves the parts beyond the antimeridian next to the others, past 180 degrees. */
function inOnePiece({ shape, frames }: Pick<ResolvedArea, 'shape' | 'frames'>): Shape {
  const [first, beyond] = frames;
  if (!first || !beyond) return shape;
  return shape.map((polygon): Polygon => {
    const isBefore = polygon[0]?.every(([longitude]) => longitude < first.west) ?? false;
    return isBefore ? polygon.map((ring) => ring.map(([x, y]) => [x + FULL_TURN, y] as const)) : polygon;
  });
}

const closed = (ring: Polygon[number]): number[][] =>
  [...ring, ...ring.slice(0, 1)].map(([x, y]) => [toDegrees(x), toDegrees(y)]);
