import { z } from 'zod/mini';

const degrees = (most: number) => z.number().check(z.minimum(-most), z.maximum(most));

/** Four degrees. West lies east of east where the box crosses the date line. */
export const BoundingBox = z
  .object({ west: degrees(180), south: degrees(90), east: degrees(180), north: degrees(90) })
  .check(z.refine(({ south, north }) => south < north, 'South must be below north.'));
export type BoundingBox = z.infer<typeof BoundingBox>;

export const BOX_WORDS = 'Enter four degrees: west, south, east and north, such as -89.8,39.6,-89.5,39.9';

/** Reads "W,S,E,N"; undefined for what is no box. */
export function readBox(text: string): BoundingBox | undefined {
  const numbers = text.split(',').map((part) => (part.trim() ? Number(part) : Number.NaN));
  const [west, south, east, north] = numbers;
  return numbers.length === 4 ? BoundingBox.safeParse({ west, south, east, north }).data : undefined;
}
