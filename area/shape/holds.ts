import { toE7 } from '#area/rectangle.ts';
import { relate } from './relate.ts';
import type { Shape } from './shape.ts';

/** Whether a point lies in a shape or on its border. In degrees. */
export function holds(shape: Shape, { latitude, longitude }: { latitude: number; longitude: number }): boolean {
  const [south, west] = [toE7(latitude), toE7(longitude)];
  return relate({ south, west, north: south + 1, east: west + 1 }, shape) !== 'outside';
}
