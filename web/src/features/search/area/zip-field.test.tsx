import { expect, test } from 'vitest';
import { MOST_ZIPS } from '#contract/work/search/areas.ts';
import { readZips } from './zip-field.tsx';

test('reads ZIP codes with anything between them, each once', () => {
  expect(readZips(' 62701, 62702;62703\n62701 ')).toEqual({ codes: ['62701', '62702', '62703'] });
  expect(readZips('')).toEqual({ codes: [] });
});

test('says which text is no ZIP code, and how many are too many', () => {
  expect(readZips('62701 6270a').error).toBe('“6270a” is not a ZIP code of five digits');
  const many = Array.from({ length: MOST_ZIPS + 1 }, (_, at) => String(10_000 + at)).join(' ');
  expect(readZips(many).error).toBe(`Enter at most ${MOST_ZIPS} ZIP codes`);
});
