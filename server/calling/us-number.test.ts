import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { expect, test } from 'vitest';
import { stateOfAreaCode } from '#calling/zones/area-codes.ts';
import { readPhone } from './us-number.ts';

test.each([
  ['+1 512-555-0142', '5125550142'],
  ['(512) 555-0142', '5125550142'],
  ['512.555.0142', '5125550142'],
  ['1 512 555 0142', '5125550142'],
  ['+1 800-555-0199', '8005550199'],
  // Houston, Chattanooga, Brooklyn and Montgomery: the library does not know them yet.
  ['+1 621-234-0142', '6212340142'],
  ['(729) 234-0142', '7292340142'],
  ['+1 465-234-0142', '4652340142'],
  ['(483) 234-0142', '4832340142'],
])('%s is the US number %s', (phone, number) => {
  expect(readPhone(phone)).toEqual({ kind: 'us', number });
});

test.each([
  '+44 1624 555 0123',
  '+1 416-555-0142',
  '+353 1 555 0101',
  '12',
  'call us',
  '512-555-0142 or 512-555-0143',
  '+1 000 000 0000',
  '+1 729 134 0142',
  '+1 340-234-0142',
  '+1 787-234-0142',
])('%s is not a US number', (phone) => {
  expect(readPhone(phone)).toEqual({ kind: 'foreign' });
});

/** Of the same exchange, so that what is known of one is used for the next. */
const spellings = (area: number, exchange: number, line: number) => [
  `+1 ${area}-${exchange}-${String(line).padStart(4, '0')}`,
  `(${area}) ${exchange}-${String(9_999 - line).padStart(4, '0')}`,
  `1${area}${exchange}0000`,
  `${area}.${exchange}.9999`,
  // These are for the library.
  `(${area} ${exchange}-0100`,
  `+1 ${area}) ${exchange}-0100`,
  `+44 ${area} ${exchange} 0100`,
  `${area} / ${exchange}-0100`,
];

test('every area code is what the library says of it, or of a state if it is newer', () => {
  for (let area = 200; area < 1_000; area += 1)
    for (const exchange of [200 + ((area * 7) % 800), 555])
      for (const text of spellings(area, exchange, (area * 7_919) % 10_000)) {
        const phone = parsePhoneNumberFromString(text, { defaultCountry: 'US', extract: false });
        const number = phone?.number ?? '';
        const isKnown = phone?.country === 'US' && phone.isValid();
        const isNewer = stateOfAreaCode(number) !== undefined && !parsePhoneNumberFromString(number)?.country;
        const isUs = isKnown || isNewer;
        expect([text, readPhone(text)]).toEqual([
          text,
          isUs ? { kind: 'us', number: phone?.nationalNumber } : { kind: 'foreign' },
        ]);
      }
});

test('no number is no number', () => {
  expect(readPhone(null)).toEqual({ kind: 'none' });
  expect(readPhone('  ')).toEqual({ kind: 'none' });
});
