import { describe, expect, test } from 'vitest';
import { readComplianceStatus } from '#contract/work/compliance.ts';
import { complianceBadge, confidenceTone, safeWebsite } from './lead-badges.ts';

test.each([
  [100, 'success'],
  [90, 'success'],
  [89, 'warning'],
  [70, 'warning'],
  [69, 'danger'],
  [0, 'danger'],
])('confidence of %i %% is %s', (percent, tone) => {
  expect(confidenceTone(percent)).toBe(tone);
});

test.each([
  ['safe', 'Clean', 'success'],
  ['clean', 'Clean', 'success'],
  ['dnc', 'Do not call', 'danger'],
  ['flagged', 'Do not call', 'danger'],
  ['litigator', 'Litigator', 'danger'],
  ['tcpa_litigator', 'Litigator', 'danger'],
  ['not_checked', 'Not checked', 'warning'],
  ['anything else', 'Not checked', 'warning'],
])('%s is shown as %s, %s', (stored, label, tone) => {
  expect(complianceBadge(readComplianceStatus(stored))).toEqual({ label, tone });
});

describe('websites that may be opened', () => {
  test.each([
    ['https://cafe.example/a', 'https://cafe.example/a'],
    ['http://cafe.example', 'http://cafe.example/'],
    ['cafe.example', 'https://cafe.example/'],
    ['cafe.example:8080/x', 'https://cafe.example:8080/x'],
    ['javascript:alert(1)', undefined],
    ['data:text/html,x', undefined],
    ['ftp://cafe.example', undefined],
    ['http://', undefined],
    ['  ', undefined],
  ])('%s', (website, expected) => {
    expect(safeWebsite(website)).toBe(expected);
  });
});
