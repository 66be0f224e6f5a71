import { stateOf } from '#area/named/atlas.ts';
import { fipsOf } from '#area/named/state-codes.ts';
import { toDegrees } from '#area/rectangle.ts';
import { holds } from '#area/shape/holds.ts';
import { framesOf } from '#area/shape/shape.ts';
import type { Frame } from '#server/open-data/read/chunk.ts';
import { UnreadableFile } from '#server/open-data/read/chunk.ts';
import { inFrame } from '#server/open-data/read/in-frame.ts';
import type { Order } from './order.ts';

/** Which places are loaded. `frame`: what readers may pass over by; undefined: nothing. */
export type LoadedArea = { frame: Frame | undefined; holds(longitude: number, latitude: number): boolean };

/**
 * The area of an order.
 * @throws UnreadableFile for a state that is none.
 */
export function areaOfOrder({ bbox, state }: Pick<Order, 'bbox' | 'state'>): LoadedArea {
  if (state === undefined) return { frame: bbox, holds: (x, y) => !bbox || inFrame(bbox, x, y) };
  const fips = fipsOf(state);
  const boundary = fips === undefined ? undefined : stateOf(fips);
  if (!boundary) throw new UnreadableFile(`“${state}” is not a state. Use two letters, such as IL.`);
  const frames = framesOf(boundary.shape).map(({ west, south, east, north }) => ({
    west: toDegrees(west),
    south: toDegrees(south),
    east: toDegrees(east),
    north: toDegrees(north),
  }));
  return {
    frame: bbox ?? (frames.length === 1 ? frames[0] : undefined),
    holds: (longitude, latitude) =>
      (!bbox || inFrame(bbox, longitude, latitude)) &&
      frames.some((frame) => inFrame(frame, longitude, latitude)) &&
      holds(boundary.shape, { latitude, longitude }),
  };
}
