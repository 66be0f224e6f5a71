import { squareKilometersOf } from '#area/shape/size.ts';
import type { ResolvedArea } from './resolve-area.ts';

/** The USA with Alaska and Hawaii, rounded up. */
const MOST_SQUARE_KILOMETERS = 10_000_000;
const SQUARE_KILOMETERS_PER_SQUARE_MILE = 2.589_988;

/** The size of an area whose count may take days, in square miles. Undefined for other areas. */
export function largeSquareMiles({ shape }: ResolvedArea): number | undefined {
  const size = squareKilometersOf(shape);
  return size > MOST_SQUARE_KILOMETERS ? Math.round(size / SQUARE_KILOMETERS_PER_SQUARE_MILE) : undefined;
}
