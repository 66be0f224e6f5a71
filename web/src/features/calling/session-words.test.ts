import { expect, test } from 'vitest';
import { emptyWords, isNothingCallable, othersText, sessionParts } from './session-words.ts';

const now = new Date(2026, 10, 25, 8, 0).getTime();
const at = (day: number, hour: number) => new Date(2026, 10, day, hour).toISOString();
const counts = { callable: 312, not_now: 130, blocked: 4, review: 7, unknown: 1_200 };
const opening = [
  { opensAt: at(25, 9), leads: 88, inReview: 5 },
  { opensAt: at(25, 10), leads: 20, inReview: 0 },
  { opensAt: at(26, 6), leads: 1, inReview: 0 },
  { opensAt: at(26, 7), leads: 5, inReview: 0 },
];

test('a session is told as what is now and what opens when', () => {
  expect(sessionParts({ counts, opening }, now)).toEqual([
    '312 now',
    '88 open at 9:00 AM',
    '20 open at 10:00 AM',
    '1 opens Thu 6:00 AM',
    '5 later',
  ]);
  expect(othersText({ counts, opening })).toBe('21 not within a day · 4 blocked · 2 to review · 1,200 unknown');
});

test('a list of which nothing can be called says what to do', () => {
  const none = { callable: 0, not_now: 0, blocked: 0, review: 0, unknown: 3 };
  expect(isNothingCallable({ counts: none, opening: [] })).toBe(true);
  expect(emptyWords({ counts: none, opening: [] }, false)).toContain('Check compliance first');
  expect(emptyWords({ counts: none, opening: [] }, true)).toContain('sandbox data');
  expect(emptyWords({ counts: { ...none, blocked: 1 }, opening: [] }, false)).toBe(
    'Nothing can be called within a day: 4 leads.',
  );
  expect(isNothingCallable({ counts, opening })).toBe(false);
});
