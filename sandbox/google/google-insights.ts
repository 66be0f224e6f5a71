import { type Box, distanceMeters, type Point } from '#sandbox/geography/points.ts';
import { parseObject } from './google-request.ts';

/** A request to `computeInsights` after all of Google's checks. */
export type GoogleInsights = { types: readonly string[]; box: Box; holds: (point: Point) => boolean };

const NOT_SET = 'location_filter and type_filter must be set.';

/** Reads a request body; a text in place of a request is the reason why Google refuses it. Only counts are played. */
export function parseInsights(text: string): GoogleInsights | string {
  const body = parseObject(text);
  if (!body) return 'Invalid JSON payload received.';
  if (!Array.isArray(body.insights) || body.insights[0] !== 'INSIGHT_COUNT') return 'insights must hold INSIGHT_COUNT.';
  const { locationFilter, typeFilter } = objectOf(body.filter);
  const types = listOf(objectOf(typeFilter).includedTypes).map(String);
  if (types.length === 0) return NOT_SET;
  const unknown = types.find((type) => !/^[a-z]+(_[a-z]+)*$/.test(type));
  if (unknown !== undefined) return `The type "${unknown}" is not supported.`;
  const { circle, customArea } = objectOf(locationFilter);
  const area = circle ? circleOf(objectOf(circle)) : customArea ? polygonOf(objectOf(customArea)) : undefined;
  return area ? { types, ...area } : NOT_SET;
}

function circleOf({ latLng, radius }: Record<string, unknown>): Omit<GoogleInsights, 'types'> | undefined {
  const center = pointOf(latLng);
  if (!center || typeof radius !== 'number' || radius <= 0) return undefined;
  const height = radius / 111_000;
  const width = height / Math.cos((center.latitude * Math.PI) / 180);
  // A circle that is wider than half the earth has no sides, and one over the antimeridian goes on beyond it.
  const corner = (sign: 1 | -1): Point => ({
    latitude: center.latitude + sign * height,
    longitude: width < 180 ? onEarth(center.longitude + sign * width) : sign * 180,
  });
  return { box: { low: corner(-1), high: corner(1) }, holds: (point) => distanceMeters(center, point) <= radius };
}

const onEarth = (longitude: number): number =>
  longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude;

function polygonOf({ polygon }: Record<string, unknown>): Omit<GoogleInsights, 'types'> | undefined {
  const points = listOf(objectOf(polygon).coordinates).map(pointOf);
  const border = points.filter((point) => point !== undefined);
  const [first, last] = [border[0], border.at(-1)];
  const isClosed = first?.latitude === last?.latitude && first?.longitude === last?.longitude;
  if (border.length < 4 || border.length !== points.length || !isClosed || turn(border) <= 0) return undefined;
  const [latitudes, longitudes] = [border.map(({ latitude }) => latitude), border.map(({ longitude }) => longitude)];
  return {
    box: {
      low: { latitude: Math.min(...latitudes), longitude: Math.min(...longitudes) },
      high: { latitude: Math.max(...latitudes), longitude: Math.max(...longitudes) },
    },
    holds: (point) => isInsideOf(border, point),
  };
}

/** Above zero for a border that runs counterclockwise. */
const turn = (border: readonly Point[]): number =>
  border.reduce((sum, one, at) => {
    const next = border[(at + 1) % border.length] ?? one;
    return sum + one.longitude * next.latitude - next.longitude * one.latitude;
  }, 0);

function isInsideOf(border: readonly Point[], { latitude, longitude }: Point): boolean {
  let odd = false;
  for (const [at, one] of border.entries()) {
    const next = border[(at + 1) % border.length] ?? one;
    if (one.latitude > latitude === next.latitude > latitude) continue;
    const share = (latitude - one.latitude) / (next.latitude - one.latitude);
    if (longitude < one.longitude + share * (next.longitude - one.longitude)) odd = !odd;
  }
  return odd;
}

function pointOf(value: unknown): Point | undefined {
  const { latitude, longitude } = objectOf(value);
  return typeof latitude === 'number' && typeof longitude === 'number' ? { latitude, longitude } : undefined;
}

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
