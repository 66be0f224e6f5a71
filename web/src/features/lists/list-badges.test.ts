import { describe, expect, test } from 'vitest';
import type { LeadList } from '#contract/work/lists.ts';
import { aList } from '#web/test-data.ts';
import { cardBadges, detailBadges } from './list-badges.ts';

const DAY_MS = 86_400_000;
const CREATED = '2026-11-01T12:00:00Z';
const day = (n: number) => Date.parse(CREATED) + n * DAY_MS;
const cases = (list: Partial<LeadList>) => aList({ createdAt: CREATED, retentionFrom: CREATED, ...list });
const labels = (badges: { label: string }[]) => badges.map(({ label }) => label);

describe('card', () => {
  test.each<[string, Partial<LeadList>, string[]]>([
    ['after a search', {}, ['Basic']],
    ['before its first search has ended', { status: 'processing', tier1Complete: false }, ['Data Processing']],
    ['failed', { status: 'failed' }, ['Enrichment Failed', 'Basic']],
    ['tier 2 brings emails and contacts', { tier2Complete: true }, ['Basic', 'Emails', 'Contacts']],
    ['any lead has an email', { hasEmails: true }, ['Basic', 'Emails']],
    ['any lead has an owner', { hasContacts: true }, ['Basic', 'Contacts']],
    ['tier 3', { tier3Complete: true }, ['Basic', 'Contacts']],
    ['checked', { complianceChecked: true }, ['Basic', 'Compliance']],
    ['sandbox', { sandbox: true }, ['Basic', 'Sandbox data']],
  ])('%s', (_name, list, expected) => {
    expect(labels(cardBadges(cases(list), day(1)))).toEqual(expected);
  });

  test('compliance is green, failure red', () => {
    const badges = cardBadges(cases({ status: 'failed', complianceChecked: true }), day(1));
    expect(badges.find(({ label }) => label === 'Compliance')?.tone).toBe('success');
    expect(badges.find(({ label }) => label === 'Enrichment Failed')?.tone).toBe('danger');
  });

  test.each([
    [24, undefined],
    [25, 'Archives in 5 days'],
    [29, 'Archives in 1 day'],
    [30, undefined],
  ])('active on day %i', (age, expected) => {
    const retention = cardBadges(cases({}), day(age)).find(({ kind }) => kind === 'retention');
    expect(retention?.label).toBe(expected);
  });

  test('archived lists count down', () => {
    const archived = cases({ archived: true, archivedAt: CREATED });
    expect(labels(cardBadges(archived, day(12)))).toContain('Deletes in 18 days');
  });
});

describe('list page', () => {
  test.each<[string, Partial<LeadList>, string[]]>([
    ['after a search', {}, []],
    ['processing', { status: 'processing' }, ['Data Processing']],
    ['tier 2', { tier2Complete: true }, ['Emails (Tier 2)', 'Contacts (Tier 2)']],
    ['tier 3', { tier2Complete: true, tier3Complete: true }, ['Contacts (Tier 3)', 'Emails (Tier 2)']],
    ['checked', { complianceChecked: true }, ['Compliance']],
  ])('%s', (_name, list, expected) => {
    expect(labels(detailBadges(cases(list), day(1)))).toEqual(expected);
  });
});
