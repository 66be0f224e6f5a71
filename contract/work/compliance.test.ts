import { expect, test } from 'vitest';
import { readComplianceStatus, SHOWN_COMPLIANCE_STATUS, summarizeCompliance, VERDICT_VALID_MS } from './compliance.ts';

test.each([
  ['not_checked', 'not_checked'],
  ['safe', 'safe'],
  ['clean', 'safe'],
  ['CLEAN', 'safe'],
  ['dnc', 'dnc'],
  ['flagged', 'dnc'],
  ['litigator', 'litigator'],
  ['tcpa_litigator', 'litigator'],
  ['something new', 'not_checked'],
  ['', 'not_checked'],
  [null, 'not_checked'],
  [undefined, 'not_checked'],
  [1, 'not_checked'],
  ['constructor', 'not_checked'],
])('reads %j as %s', (value, status) => {
  expect(readComplianceStatus(value)).toBe(status);
});

test('list detail shows its own spelling', () => {
  expect(SHOWN_COMPLIANCE_STATUS).toEqual({
    not_checked: 'not_checked',
    safe: 'clean',
    dnc: 'dnc',
    litigator: 'tcpa_litigator',
  });
});

test('only numbers with a verdict are counted', () => {
  const statuses = ['safe', 'clean', 'dnc', 'litigator', 'not_checked', undefined, 'garbage'];
  expect(
    summarizeCompliance(
      statuses.map((compliance_status) => ({ compliance_status })),
      80_000,
    ),
  ).toEqual({
    total: 4,
    safe: 2,
    flagged: 2,
    cost: 0.08,
  });
});

test('verdicts that have run out are not counted, those of litigators stay', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  const of = (compliance_status: string, age: number) => ({
    compliance_status,
    compliance_checked_at: new Date(now - age).toISOString(),
  });
  const verdicts = [of('safe', 0), of('safe', VERDICT_VALID_MS + 1), of('dnc', VERDICT_VALID_MS + 1)];
  expect(summarizeCompliance(verdicts, 0, now)).toMatchObject({ total: 1, safe: 1, flagged: 0 });
  expect(summarizeCompliance([of('litigator', VERDICT_VALID_MS * 9)], 0, now)).toMatchObject({ flagged: 1 });
});
