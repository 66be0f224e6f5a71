import { hashOf } from './random.ts';

const shareOf = (text: string): number => hashOf(text) / 2 ** 32;

const MODE = /-leaves-out-(15|46)\b/;

/** Whether the answers to a key differ from one time to the next. */
export const differs = (key: string): boolean => MODE.test(key);

/**
 * Places that stand in every answer of the second mode. With the others as they are, 54 % of all places that four answers show stand in each
 * of the four: 21 of 39, as was measured in public.
 */
const ALWAYS = 0.4055;

/**
 * What an answer leaves out, by the key: Google's answers to the same question differ.
 * - `…-leaves-out-15`: each answer lacks a changing 15 % of the places.
 * - `…-leaves-out-46`: 41 % of the places stand in every answer, the others in 30 to 90 % of them.
 */
export function leftOut(key: string, draw: number): (id: string) => boolean {
  const [, mode] = MODE.exec(key) ?? [];
  if (mode === undefined) return () => false;
  const chance = (id: string) => shareOf(`${draw} ${id}`);
  if (mode === '15') return (id) => chance(id) < 0.15;
  return (id) => {
    const place = shareOf(`seen ${id}`);
    return place >= ALWAYS && chance(id) > 0.3 + 0.6 * ((place - ALWAYS) / (1 - ALWAYS));
  };
}
