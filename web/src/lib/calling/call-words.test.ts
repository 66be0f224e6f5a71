import { expect, test } from 'vitest';
import { CALL_VERDICTS } from '#contract/calling/call-verdicts.ts';
import { CALL_OPTIONS, CALL_WORDS, opensText } from './call-words.ts';

test('every verdict has words, and none promises more than a moment', () => {
  expect(CALL_OPTIONS.map(({ value }) => value)).toEqual(['any', ...CALL_VERDICTS]);
  for (const words of Object.values(CALL_WORDS)) expect(words).not.toMatch(/safe|compliant|allowed/i);
});

test('an opening today is a time, another day is named, and a week ahead with its date', () => {
  const now = new Date(2026, 10, 25, 8, 0).getTime();
  expect(opensText(new Date(2026, 10, 25, 9, 0).toISOString(), now)).toBe('9:00 AM');
  expect(opensText(new Date(2026, 10, 30, 9, 30).toISOString(), now)).toBe('Mon 9:30 AM');
  expect(opensText(new Date(2026, 11, 1, 23, 30).toISOString(), now)).toBe('Tue 11:30 PM');
  expect(opensText(new Date(2026, 11, 2, 8, 0).toISOString(), now)).toBe('Wed, Dec 2, 8:00 AM');
});
