import { createHash } from 'node:crypto';
import { type ReadArea, readGeoJson } from '#area/shape/read-geojson.ts';
import { type Geometry, MOST_POINTS, MOST_RINGS } from '#contract/work/search/areas.ts';

/** Shapes to keep: a count needs the same one every second. */
const MOST_KEPT = 20;
const kept = new Map<string, ReadArea>();

/** Reads a shape, and remembers the result. */
export function readShape(geometry: Geometry): ReadArea {
  const name = createHash('sha256').update(JSON.stringify(geometry)).digest('base64');
  const read = kept.get(name) ?? readGeoJson(geometry, { points: MOST_POINTS, rings: MOST_RINGS });
  // The one that was used longest ago is first.
  kept.delete(name);
  kept.set(name, read);
  for (const oldest of kept.keys()) {
    if (kept.size <= MOST_KEPT) break;
    kept.delete(oldest);
  }
  return read;
}
