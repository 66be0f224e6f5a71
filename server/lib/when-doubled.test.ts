import { expect, test } from 'vitest';
import { whenDoubled } from './when-doubled.ts';

test('work runs first after ten thousand rows, and then whenever these have doubled', async () => {
  let rows = 0;
  const ran: number[] = [];
  const after = whenDoubled(async () => void ran.push(rows));
  for (; rows < 100_000; await after(4_000)) rows += 4_000;
  expect(ran).toEqual([12_000, 24_000, 48_000, 96_000]);
});
