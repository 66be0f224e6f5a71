import { expect, test } from 'vitest';
import { linesOf, shortTime } from './pack-lines.ts';

test('facts are lines of a name and a value, also what stands within others', () => {
  const facts = {
    answeredAt: '2026-11-26T15:40:11.225556Z',
    replySha256: 'ab12',
    sandbox: true,
    listVersion: null,
    columns: ['Business Name', 'Phone'],
    said: [{ verdict: 'callable', reasons: [{ code: 'open' }], leads: ['a', 'b'] }],
    zones: [],
  };
  expect(linesOf(facts)).toEqual([
    'answered at: 2026-11-26 15:40:11 UTC',
    'reply sha256: ab12',
    'sandbox: yes',
    'list version: none',
    'columns: Business Name, Phone',
    'said 1 verdict: callable',
    'said 1 reasons 1 code: open',
    'said 1 leads: a, b',
    'zones: ',
  ]);
});

test.each([
  ['2026-11-26T10:00:00-05:00', '2026-11-26 15:00:00 UTC'],
  ['2026-11-26', '2026-11-26'],
  ['(217) 555-0100', '(217) 555-0100'],
])('%s is written as %s', (text, short) => {
  expect(shortTime(text)).toBe(short);
});
