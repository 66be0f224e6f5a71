/** Degrees times 1e7, as an integer. */
export type E7 = number;

export const E7_PER_DEGREE = 10_000_000;
export const toE7 = (degrees: number): E7 => Math.round(degrees * E7_PER_DEGREE);
export const toDegrees = (e7: E7): number => e7 / E7_PER_DEGREE;

/**
 * What lies between two parallels and two meridians. Half open: `south` and `west` belong to it, `north` and `east` do not.
 * - In E7, never across the antimeridian: such an area has two rectangles.
 */
export type Rectangle = { readonly south: E7; readonly west: E7; readonly north: E7; readonly east: E7 };

const METERS_PER_DEGREE = 111_195;
export const RADIANS_PER_E7 = Math.PI / 180 / E7_PER_DEGREE;

/** The lengths of its sides in meters, as at the latitude of its middle. */
export function sidesOf({ south, west, north, east }: Rectangle): { height: number; width: number } {
  const middle = ((south + north) / 2) * RADIANS_PER_E7;
  return {
    height: toDegrees(north - south) * METERS_PER_DEGREE,
    width: toDegrees(east - west) * METERS_PER_DEGREE * Math.cos(middle),
  };
}

export const EARTH_RADIUS_KM = 6_371;

/** How much of the earth a rectangle covers, in square kilometers. */
export function squareKilometers({ south, west, north, east }: Rectangle): number {
  const height = Math.sin(north * RADIANS_PER_E7) - Math.sin(south * RADIANS_PER_E7);
  return EARTH_RADIUS_KM ** 2 * height * (east - west) * RADIANS_PER_E7;
}

/**
 * Cuts a rectangle across its longer side, in meters.
 * - Returns undefined when that side is at most `smallestMeters` long, or cannot be cut in whole numbers.
 */
export function halve(rectangle: Rectangle, smallestMeters: number): readonly [Rectangle, Rectangle] | undefined {
  const { south, west, north, east } = rectangle;
  const { height, width } = sidesOf(rectangle);
  if (Math.max(height, width) <= smallestMeters) return undefined;
  if (height >= width) {
    const middle = Math.floor((south + north) / 2);
    if (middle <= south) return undefined;
    return [
      { south, west, north: middle, east },
      { south: middle, west, north, east },
    ];
  }
  const middle = Math.floor((west + east) / 2);
  if (middle <= west) return undefined;
  return [
    { south, west, north, east: middle },
    { south, west: middle, north, east },
  ];
}
