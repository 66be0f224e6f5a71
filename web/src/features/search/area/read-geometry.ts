import { z } from 'zod/mini';
import { Geometry, MOST_POINTS, MOST_RINGS } from '#contract/work/search/areas.ts';
import { formatCount } from '#web/lib/format/format.ts';

const Feature = z.object({ type: z.literal('Feature'), geometry: Geometry });
const Collection = z.object({
  type: z.literal('FeatureCollection'),
  features: z.array(Feature).check(z.minLength(1)),
});
const Pasted = z.union([Geometry, Feature, Collection]);

/** Reads pasted GeoJSON, and refuses what is larger than the server takes. */
export function readGeometry(text: string): { geometry?: Geometry; error?: string } {
  const read = readPasted(text);
  if (!read.geometry) return read;
  const rings = ringsOf(read.geometry);
  const points = countPoints(read.geometry);
  if (points > MOST_POINTS)
    return {
      error: `This shape has ${formatCount(points)} points. The most is ${formatCount(MOST_POINTS)}: simplify its lines.`,
    };
  if (rings.length > MOST_RINGS)
    return {
      error: `This shape has ${formatCount(rings.length)} parts and holes. The most is ${formatCount(MOST_RINGS)}: leave out the smallest.`,
    };
  return read;
}

export const countPoints = (geometry: Geometry): number =>
  ringsOf(geometry).reduce((sum, ring) => sum + ring.length, 0);

const ringsOf = (geometry: Geometry) =>
  geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat();

/** Reads pasted GeoJSON: a geometry, a feature, or several features, whose polygons become one area. Empty text is neither. */
function readPasted(text: string): { geometry?: Geometry; error?: string } {
  if (text.trim() === '') return {};
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { error: 'This is not JSON. Paste the whole text of a GeoJSON file.' };
  }
  const pasted = Pasted.safeParse(json).data;
  if (!pasted) return { error: 'This is not a GeoJSON Polygon or MultiPolygon.' };
  if (pasted.type === 'Feature') return { geometry: pasted.geometry };
  if (pasted.type !== 'FeatureCollection') return { geometry: pasted };
  const [first, ...others] = pasted.features.map(({ geometry }) => geometry);
  if (first && others.length === 0) return { geometry: first };
  const coordinates = pasted.features.flatMap(({ geometry }) =>
    geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates,
  );
  return { geometry: { type: 'MultiPolygon', coordinates } };
}
