import { halve, type Rectangle } from '#area/rectangle.ts';
import { relate } from '#area/shape/relate.ts';
import { framesOf, type Shape } from '#area/shape/shape.ts';

/** A rectangle of a cut. What lies `outside` of the area is kept, so that the pieces still cover its frame, and never searched. */
export type Piece = Rectangle & { state: 'open' | 'outside' };

/** The frames of an area, where its cut begins. */
export const firstPieces = (shape: Shape): Piece[] => framesOf(shape).map((frame) => ({ ...frame, state: 'open' }));

/** The halves of a rectangle, or undefined when its longer side is at most `smallestMeters`. */
export function cut(rectangle: Rectangle, shape: Shape, smallestMeters: number): Piece[] | undefined {
  return halve(rectangle, smallestMeters)?.map((half) => ({
    ...half,
    state: relate(half, shape) === 'outside' ? 'outside' : 'open',
  }));
}
