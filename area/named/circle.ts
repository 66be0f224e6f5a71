import { type ReadArea, readGeoJson } from '#area/shape/read-geojson.ts';

const EARTH_METERS = 6_371_009;
const CORNERS = 64;

/**
 * A circle, as a polygon of 64 corners that lies around it.
 * - In degrees and meters. A circle over a pole is refused.
 */
export function circle({ latitude, longitude }: { latitude: number; longitude: number }, meters: number): ReadArea {
  const angle = meters / Math.cos(Math.PI / CORNERS) / EARTH_METERS;
  if (Math.abs(latitude) + degrees(angle) >= 90)
    return { kind: 'invalid', message: 'The circle goes around a pole. Choose a smaller radius.' };
  const from = radians(latitude);
  const corners = Array.from({ length: CORNERS }, (_, at) => {
    const bearing = (-2 * Math.PI * at) / CORNERS;
    const to = Math.asin(Math.sin(from) * Math.cos(angle) + Math.cos(from) * Math.sin(angle) * Math.cos(bearing));
    const turn = Math.atan2(
      Math.sin(bearing) * Math.sin(angle) * Math.cos(from),
      Math.cos(angle) - Math.sin(from) * Math.sin(to),
    );
    return [((((longitude + degrees(turn) + 180) % 360) + 360) % 360) - 180, degrees(to)];
  });
  return readGeoJson({ type: 'Polygon', coordinates: [[...corners, corners[0] ?? []]] });
}

const radians = (value: number) => (value * Math.PI) / 180;
const degrees = (value: number) => (value * 180) / Math.PI;
