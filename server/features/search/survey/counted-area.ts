import { toDegrees } from '#area/rectangle.ts';
import { HALF_TURN, isCounterclockwise, type Polygon } from '#area/shape/shape.ts';
import { placeTypeOf } from '#providers/google-places/place-types.ts';
import { prices } from '#providers/prices.ts';
import type { CountedArea } from '#providers/provider.ts';
import type { AreaSpec, ResolvedArea } from '#server/features/search/area/resolve-area.ts';

/** Google states no limit. The border of a state from the atlas has at most a few hundred points. */
const MOST_POINTS = 1_000;

/** A survey that Google can count by itself: of its own types, in an area of one piece. */
export type Countable = { types: string[]; area: CountedArea; costMicros: number };

/** Returns undefined for types that Google has no name for, and for areas with holes, several parts or across the antimeridian. */
export function countableOf(
  spec: AreaSpec,
  { shape }: Pick<ResolvedArea, 'shape'>,
  queries: readonly string[],
): Countable | undefined {
  const types = [...new Set(queries.map(placeTypeOf))];
  const area = areaOf(spec, shape);
  if (!area || !types.every((type) => type !== undefined)) return undefined;
  return { types, area, costMicros: prices.googleAreaCountMicros };
}

function areaOf(spec: AreaSpec, shape: readonly Polygon[]): CountedArea | undefined {
  if (spec.kind === 'circle') return { kind: 'circle', center: spec.center, meters: spec.meters };
  const [polygon, ...others] = shape;
  const [border, ...holes] = polygon ?? [];
  if (!border || others.length > 0 || holes.length > 0 || border.length > MOST_POINTS) return undefined;
  if (border.some(([longitude]) => longitude > HALF_TURN)) return undefined;
  const points = border.map(([longitude, latitude]) => ({
    latitude: toDegrees(latitude),
    longitude: toDegrees(longitude),
  }));
  return { kind: 'polygon', border: isCounterclockwise(border) ? points : points.toReversed() };
}
