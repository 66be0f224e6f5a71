import { expect, test } from 'vitest';
import { VERDICT_VALID_MS } from './compliance.ts';
import { hasExpiredVerdict, LeadRow, readLead } from './leads.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const lead = (more: object) => readLead(LeadRow.parse({ id: '1', ...more }), { now: NOW });
const checked = (msAgo: number, status: string) =>
  lead({ compliance_status: status, compliance_checked_at: new Date(NOW - msAgo).toISOString() });

test('a row with nothing but an id is a lead of which nothing is known', () => {
  expect(lead({})).toMatchObject({ businessName: '', phone: '', complianceStatus: 'not_checked', serviceArea: false });
  expect(lead({}).emailVerified).toBeUndefined();
});

test.each([
  ['safe', 0, 'safe'],
  ['safe', VERDICT_VALID_MS, 'safe'],
  ['safe', VERDICT_VALID_MS + 1, 'not_checked'],
  ['clean', VERDICT_VALID_MS + 1, 'not_checked'],
  ['dnc', VERDICT_VALID_MS + 1, 'not_checked'],
  ['litigator', VERDICT_VALID_MS * 20, 'litigator'],
])('a verdict %s that is %d ms old counts as %s', (status, age, shown) => {
  expect(checked(age, status).complianceStatus).toBe(shown);
});

test('an expired verdict says why it no longer counts', () => {
  expect(checked(VERDICT_VALID_MS + 1, 'safe').complianceReason).toContain('31 days');
  expect(hasExpiredVerdict(checked(VERDICT_VALID_MS + 1, 'safe'))).toBe(true);
  expect(hasExpiredVerdict(checked(VERDICT_VALID_MS, 'safe'))).toBe(false);
  expect(hasExpiredVerdict(lead({ compliance_status: 'not_checked' }))).toBe(false);
});
