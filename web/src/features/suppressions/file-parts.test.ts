import { expect, test } from 'vitest';
import { partsOf } from './file-parts.ts';

test('a small file is one part, as it is', () => {
  expect(partsOf('\ufeffphone\r\n312 555 0100\r\n')).toEqual([{ csv: 'phone\n312 555 0100\n', linesBefore: 0 }]);
  expect(partsOf('312 555 0100')).toEqual([{ csv: '312 555 0100', linesBefore: 0 }]);
  expect(partsOf('')).toEqual([]);
});

test('a long file is cut at lines, each part has the header, and lines keep their numbers', () => {
  const numbers = Array.from({ length: 40_000 }, (_, at) => `person${at}@people.example`);
  const parts = partsOf(['Email', ...numbers].join('\n'));
  expect(parts.map(({ csv }) => csv.split('\n').length)).toEqual([15_001, 15_001, 10_001]);
  expect(parts.every(({ csv }) => csv.startsWith('Email\n'))).toBe(true);
  // The second line of the third part is line 30,002 of the file.
  expect(parts[2]?.csv.split('\n')[1]).toBe('person30000@people.example');
  expect(2 + (parts[2]?.linesBefore ?? 0)).toBe(30_002);
});

test('a header of any words is repeated', () => {
  const numbers = Array.from({ length: 15_001 }, () => '312 555 0100');
  for (const header of ['Mobile', 'Tel.;E-Mail', 'Handy'])
    expect(partsOf([header, ...numbers].join('\n'))[1]?.csv).toBe(`${header}\n312 555 0100`);
  expect(partsOf(['stop.example', ...numbers].join('\n'))[1]?.csv).toMatch(/^312/);
});

test('without a header nothing is repeated', () => {
  const parts = partsOf(Array.from({ length: 15_001 }, () => '312 555 0100').join('\n'));
  expect(parts.map(({ linesBefore }) => linesBefore)).toEqual([0, 15_000]);
  expect(parts[1]?.csv).toBe('312 555 0100');
});
