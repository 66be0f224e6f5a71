import type { BoundingBox, Coordinates } from './provider.ts';

/** Mean Earth radius (IUGG), in meters. */
const earthRadiusMeters = 6_371_008.8;

const toRadians = (degrees: number) => (degrees * Math.PI) / 180;
const toDegrees = (radians: number) => (radians * 180) / Math.PI;
const wrapLongitude = (degrees: number) => (degrees < -180 ? degrees + 360 : degrees > 180 ? degrees - 360 : degrees);

/** The smallest box that holds every point within `meters` of the center; all longitudes when it holds a pole. */
export function boundingBox(latitude: number, longitude: number, meters: number): BoundingBox {
  const latitudeSpan = toDegrees(meters / earthRadiusMeters);
  const south = latitude - latitudeSpan;
  const north = latitude + latitudeSpan;
  if (south <= -90 || north >= 90) {
    return {
      low: { latitude: Math.max(south, -90), longitude: -180 },
      high: { latitude: Math.min(north, 90), longitude: 180 },
    };
  }
  const longitudeSpan = toDegrees(Math.asin(Math.sin(meters / earthRadiusMeters) / Math.cos(toRadians(latitude))));
  return {
    low: { latitude: south, longitude: wrapLongitude(longitude - longitudeSpan) },
    high: { latitude: north, longitude: wrapLongitude(longitude + longitudeSpan) },
  };
}

/** The middle of a box. */
export function middleOf({ low, high }: BoundingBox): Coordinates {
  const width = (high.longitude - low.longitude + 360) % 360 || 360 * Number(high.longitude !== low.longitude);
  return {
    latitude: (low.latitude + high.latitude) / 2,
    longitude: wrapLongitude(low.longitude + width / 2),
  };
}

/** Great-circle distance in meters. */
export function metersBetween(from: Coordinates, to: Coordinates): number {
  const haversine =
    Math.sin(toRadians(to.latitude - from.latitude) / 2) ** 2 +
    Math.cos(toRadians(from.latitude)) *
      Math.cos(toRadians(to.latitude)) *
      Math.sin(toRadians(to.longitude - from.longitude) / 2) ** 2;
  return 2 * earthRadiusMeters * Math.asin(Math.sqrt(Math.min(1, haversine)));
}
