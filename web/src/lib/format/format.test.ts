import { expect, test } from 'vitest';
import {
  formatBytes,
  formatDate,
  formatDay,
  formatMoney,
  formatPhone,
  formatRate,
  formatRelative,
  formatTimesIn,
  plural,
} from './format.ts';

test('money from micro-dollars', () => {
  expect(formatMoney(1_020_000)).toBe('$1.02');
  expect(formatMoney(0)).toBe('$0.00');
  expect(formatMoney(1_234_567_890_000)).toBe('$1,234,567.89');
  expect(formatRate(17_000)).toBe('$0.017');
  expect(formatRate(50_000)).toBe('$0.05');
});

test('counts with their noun', () => {
  expect(plural(0, 'lead')).toBe('0 leads');
  expect(plural(1, 'lead')).toBe('1 lead');
  expect(plural(12_345, 'lead')).toBe('12,345 leads');
  expect(plural(2, 'match', 'matches')).toBe('2 matches');
});

test.each([
  [1, '1 kB'],
  [12_400, '12 kB'],
  [999_400, '999 kB'],
  [1_234_567, '1.2 MB'],
])('%d bytes are %s', (bytes, words) => {
  expect(formatBytes(bytes)).toBe(words);
});

const NOW = Date.parse('2026-11-21T12:00:00Z');

test.each([
  ['2026-11-21T11:59:30Z', 'just now'],
  ['2026-11-21T11:55:00Z', '5 minutes ago'],
  ['2026-11-21T10:01:00Z', '1 hour ago'],
  ['2026-11-20T11:00:00Z', 'yesterday'],
  ['2026-11-07T12:00:00Z', '2 weeks ago'],
  ['2024-11-20T00:00:00Z', '2 years ago'],
  ['2026-11-21T12:03:00Z', 'in 3 minutes'],
  ['nonsense', ''],
])('%s is %s', (iso, words) => {
  expect(formatRelative(iso, NOW)).toBe(words);
});

test('a day', () => {
  expect(formatDate('2026-11-21T12:00:00Z')).toBe('Nov 21, 2026');
  expect(formatDate('')).toBe('');
  expect(formatDay('2026-11-21')).toBe('Nov 21, 2026');
});

test.each([
  ['IL: 08:00–21:00 every day', 'IL: 8:00 AM–9:00 PM every day'],
  ['FL: 00:30–12:00 Sun', 'FL: 12:30 AM–12:00 PM Sun'],
  ['TX: 12:00–24:00 Sun', 'TX: 12:00 PM–12:00 AM Sun'],
  ['On the suppression list since 2026-11-26.', 'On the suppression list since Nov 26, 2026.'],
  ['Called 3 times in 24 hours. FL allows 3.', 'Called 3 times in 24 hours. FL allows 3.'],
])('a text of the server: %s', (text, shown) => {
  expect(formatTimesIn(text)).toBe(shown);
});

test.each([
  ['+12175550101', '+1 217-555-0101'],
  ['+1 217-555-0101', '+1 217-555-0101'],
  ['(217) 555-0101', '+1 217-555-0101'],
  ['217.555.0101', '+1 217-555-0101'],
  ['+1 217-555-0101 ext. 4', '+1 217-555-0101 ext. 4'],
  ['+441624555010', '+441624555010'],
  ['+44 1624 555010', '+44 1624 555010'],
  ['', ''],
])('a phone number: %s', (phone, written) => {
  expect(formatPhone(phone)).toBe(written);
});
