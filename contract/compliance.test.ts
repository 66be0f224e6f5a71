import { expect, test } from 'vitest';
import { readComplianceStatus, SHOWN_COMPLIANCE_STATUS, summariseCompliance } from './compliance.ts';

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
    summariseCompliance(
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
