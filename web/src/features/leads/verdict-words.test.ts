import { expect, test } from 'vitest';
import { verdictAge } from './verdict-words.ts';

const AT = '2026-11-01T12:00:00.000Z';

test.each([
  ['safe', AT, /^Checked Nov 1, 2026, .*, expires Dec 2, 2026$/],
  ['litigator', AT, /^Checked Nov 1, 2026, .*, does not expire$/],
  ['not_checked', AT, /^Checked Nov 1, 2026, .*, expired Dec 2, 2026$/],
  ['not_checked', undefined, /^$/],
] as const)('%s, checked at %s', (complianceStatus, complianceCheckedAt, text) => {
  expect(verdictAge({ complianceStatus, complianceCheckedAt })).toMatch(text);
});
