/** A point in decimal degrees. */
export type Point = { latitude: number; longitude: number };

/** A box by its south-west and north-east corner; `low.longitude > high.longitude` crosses the antimeridian. */
export type Box = { low: Point; high: Point };

const metersPerDegree = 111_195;
const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Great-circle distance in meters. */
export function distanceMeters(from: Point, to: Point): number {
  const half =
    Math.sin(radians(to.latitude - from.latitude) / 2) ** 2 +
    Math.cos(radians(from.latitude)) *
      Math.cos(radians(to.latitude)) *
      Math.sin(radians(to.longitude - from.longitude) / 2) ** 2;
  return 2 * 6_371_009 * Math.asin(Math.min(1, Math.sqrt(half)));
}

/** The point so many meters away in the direction `bearing` (radians from north); near enough below some 200 km. */
export function pointAt(from: Point, meters: number, bearing: number): Point {
  const latitude = from.latitude + (meters * Math.cos(bearing)) / metersPerDegree;
  const perDegree = metersPerDegree * Math.max(0.05, Math.cos(radians(from.latitude)));
  return { latitude, longitude: from.longitude + (meters * Math.sin(bearing)) / perDegree };
}

export function isInside({ low, high }: Box, { latitude, longitude }: Point): boolean {
  if (latitude < low.latitude || latitude > high.latitude) return false;
  return low.longitude <= high.longitude
    ? longitude >= low.longitude && longitude <= high.longitude
    : longitude >= low.longitude || longitude <= high.longitude;
}

/** A box with so many meters more on each side. */
export function widened({ low, high }: Box, meters: number): Box {
  const north = meters / metersPerDegree;
  const far = Math.max(Math.abs(low.latitude), Math.abs(high.latitude));
  const east = north / Math.max(0.05, Math.cos(radians(far)));
  const wrapped = (longitude: number) => ((longitude + 540) % 360) - 180;
  return {
    low: { latitude: low.latitude - north, longitude: wrapped(low.longitude - east) },
    high: { latitude: high.latitude + north, longitude: wrapped(high.longitude + east) },
  };
}

export function centerOf({ low, high }: Box): Point {
  const width = (high.longitude - low.longitude + 360) % 360;
  const longitude = low.longitude + width / 2;
  return { latitude: (low.latitude + high.latitude) / 2, longitude: longitude > 180 ? longitude - 360 : longitude };
}
