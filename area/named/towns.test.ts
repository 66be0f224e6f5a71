import { expect, test } from 'vitest';
import { townOf } from './towns.ts';

test.each([
  'Springfield, IL',
  'springfield il',
  'SPRINGFIELD,  IL 62701',
  'Springfield, IL, USA',
  '62701',
  '62701-1234',
])('%s lies in Springfield', (text) => {
  const town = townOf(text);
  expect(town?.label).toMatch(/^(Springfield|62701), IL$/);
  expect(town?.latitude).toBeCloseTo(39.8, 0);
  expect(town?.longitude).toBeCloseTo(-89.65, 0);
});

test.each(['', 'Springfield', 'Nowhere At All, IL', '00000', 'IL'])('“%s” is no town', (text) => {
  expect(townOf(text)).toBeUndefined();
});
