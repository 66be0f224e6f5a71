import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { expect, test } from 'vitest';
import { readEntry } from './read-entry.ts';

/** How files spell an American number. */
const SPELLINGS: ((area: number, exchange: number, line: string) => string)[] = [
  (area, exchange, line) => `${area}${exchange}${line}`,
  (area, exchange, line) => `1${area}${exchange}${line}`,
  (area, exchange, line) => `+1${area}${exchange}${line}`,
  (area, exchange, line) => `(${area}) ${exchange}-${line}`,
  (area, exchange, line) => `(${area})${exchange}.${line}`,
  (area, exchange, line) => `${area}-${exchange}-${line}`,
  (area, exchange, line) => `+1 ${area}-${exchange}-${line}`,
  (area, exchange, line) => `+1 (${area}) ${exchange} ${line}`,
  (area, exchange, line) => `1.${area}.${exchange}.${line}`,
  (area, exchange, line) => `(${area} ${exchange}-${line}`,
  // These are for the library.
  (area, exchange, line) => `${area} - ${exchange} - ${line}`,
  (area, exchange, line) => `+44${area}${exchange}${line}`,
  (area, exchange, line) => `${area - 200}-${exchange}-${line}`,
  (area, exchange, line) => `${area}-${exchange - 200}-${line}`,
  (area, exchange, line) => `1${area}${exchange}${line.slice(1)}`,
];

test('a number in any usual spelling is what the library reads of it', () => {
  for (let area = 200; area < 1_000; area += 1)
    for (const [at, spell] of SPELLINGS.entries()) {
      const exchange = 200 + ((area * 7 + at * 331) % 800);
      const text = spell(area, exchange, String((area * 7_919 + at * 1_237) % 10_000).padStart(4, '0'));
      const phone = parsePhoneNumberFromString(text.replace(/^\(/, ''), { defaultCountry: 'US', extract: false });
      const entry = readEntry('phone', text);
      expect([text, entry.state === 'read' ? entry.value : undefined]).toEqual([
        text,
        phone?.isPossible() ? phone.number : undefined,
      ]);
    }
});

test.each([
  ['1-800-FLOWERS', '+18003569377'],
  ['800 GOT JUNK', '+18004685865'],
  ['+1 (312) KKK-0142 ext. 7', '+13125550142'],
  ['(312) 555-CALL', '+13125552255'],
])('letters beside digits are keys of a phone: %s', (text, value) =>
  expect(readEntry('phone', text)).toEqual({ state: 'read', value }),
);

test.each([
  'not a number',
  'call office',
  'disconnect',
  'see website',
  '+1 call office',
  'tel:call office',
  '100 Main Ave',
])('words are no phone number: %s', (text) => expect(readEntry('phone', text)).toMatchObject({ state: 'wrong' }));

test.each([
  ['(303) 555-0161 (cell)', '+13035550161'],
  ['\u202a+1 303-555-0162\u202c', '+13035550162'],
  ['Cell 303-555-0165', '+13035550165'],
  ['Phone: (303) 555-0165', '+13035550165'],
  ['303-555-0166 ext-5', '+13035550166'],
  ['303.555.0167 - home', '+13035550167'],
  ['+44 20 7946 0958 (reception)', '+442079460958'],
])('what people write around a number is left out: %s', (text, value) =>
  expect(readEntry('phone', text)).toEqual({ state: 'read', value }),
);
