import { expect, test } from 'vitest';
import type { CameFrom } from '#contract/work/lists.ts';
import { originsText } from './origins-text.ts';

const from = (name: string, how: CameFrom['how']): CameFrom => ({ name, how, at: '2026-11-20T12:00:00Z' });

test('says from which lists the leads are, the newest first', () => {
  expect(originsText([])).toBeUndefined();
  expect(originsText([from('Dentists', 'copy'), from('Plumbers', 'merge')])).toBe(
    'merged with “Plumbers” · copied from “Dentists”',
  );
  expect(originsText(['A', 'B', 'C', 'D', 'E'].map((name) => from(name, 'move')))).toBe(
    'moved from “E” · moved from “D” · moved from “C” · and 2 other lists',
  );
});
