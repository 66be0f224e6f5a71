import { hashOf } from './random.ts';

const shareOf = (text: string): number => hashOf(text) / 2 ** 32;

const MODE = /-leaves-out-(15|46)\b/;

/** Whether the answers to a key differ from one time to the next. */
export const differs = (key: string): boolean => MODE.test(key);

/**
 * What an answer leaves out, by the key: Google's answers to the same question differ.
 * - `…-leaves-out-15`: each answer lacks a changing 15 % of the places.
 * - `…-leaves-out-46`: 54 % of the places stand in every answer, the others in 30 to 90 % of them.
 */
export function leftOut(key: string, draw: number): (id: string) => boolean {
  const [, mode] = MODE.exec(key) ?? [];
  if (mode === undefined) return () => false;
  const chance = (id: string) => shareOf(`${draw} ${id}`);
  if (mode === '15') return (id) => chance(id) < 0.15;
  return (id) => {
    const place = shareOf(`seen ${id}`);
    return place >= 0.54 && chance(id) > 0.3 + 0.6 * ((place - 0.54) / 0.46);
  };
}
