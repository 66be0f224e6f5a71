import { randomBytes } from 'node:crypto';

const DRAWN_AT_ONCE = 8_192;
let drawn = Buffer.alloc(0);
let used = 0;

/** As `randomBytes`, for a few bytes at a time: many are drawn at once, and each is given out once. */
export function fewRandomBytes(count: number): Buffer {
  if (used + count > drawn.length) [drawn, used] = [randomBytes(Math.max(count, DRAWN_AT_ONCE)), 0];
  used += count;
  return drawn.subarray(used - count, used);
}
