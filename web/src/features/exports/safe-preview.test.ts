import { expect, test } from 'vitest';
import { staysOut } from './safe-preview.tsx';

const APART = (values: string) =>
  `The license of OpenStreetMap (ODbL) keeps out ${values}, because leads here also have values of other sources. To keep them, select only leads without those.`;

test.each([
  [{ leads: 5, leftOut: 0, valuesLeftOut: 0 }, 'Nothing is left out. You can keep every value.'],
  [{ leads: 5, leftOut: 0, valuesLeftOut: 1 }, '1 value is left out.'],
  [{ leads: 5, leftOut: 1, valuesLeftOut: 0 }, '1 lead is left out because no license lets you keep its name.'],
  [
    { leads: 1_200, leftOut: 2, valuesLeftOut: 30 },
    '2 leads are left out because no license lets you keep their names. 30 values are left out of the other 1,200.',
  ],
  [
    { leads: 0, leftOut: 3, valuesLeftOut: 0 },
    'There is nothing to export. The names of all 3 leads must be left out.',
  ],
  [
    { leads: 0, leftOut: 1, valuesLeftOut: 0 },
    'There is nothing to export. The name of the only lead must be left out.',
  ],
  [{ leads: 0, leftOut: 0, valuesLeftOut: 0 }, 'No leads selected.'],
  [
    { leads: 0, leftOut: 300, valuesLeftOut: 0, apartLeftOut: 1_200 },
    `There is nothing to export. The names of all 300 leads must be left out. ${APART('1,200 values')}`,
  ],
  [{ leads: 4, leftOut: 1, valuesLeftOut: 0, apartLeftOut: 1 }, `1 lead is left out whole. ${APART('1 value')}`],
])('%j in words', (preview, words) => {
  expect(staysOut({ apartLeftOut: 0, ...preview })).toBe(words);
});
