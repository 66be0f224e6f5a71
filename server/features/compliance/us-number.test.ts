import { expect, test } from 'vitest';
import { readPhone } from './us-number.ts';

test.each([
  ['+1 512-555-0142', '5125550142'],
  ['(512) 555-0142', '5125550142'],
  ['512.555.0142', '5125550142'],
  ['1 512 555 0142', '5125550142'],
  ['+1 800-555-0199', '8005550199'],
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
])('%s is not a US number', (phone) => {
  expect(readPhone(phone)).toEqual({ kind: 'foreign' });
});

test('no number is no number', () => {
  expect(readPhone(null)).toEqual({ kind: 'none' });
  expect(readPhone('  ')).toEqual({ kind: 'none' });
});
