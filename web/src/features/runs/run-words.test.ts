import { describe, expect, test } from 'vitest';
import { ComplianceTotals, EnrichmentTotals, type Run, SearchTotals } from '#contract/work/runs.ts';
import { aRun } from '#web/test-data.ts';
import {
  areaShortfall,
  currentRun,
  emptySearchReason,
  queueText,
  runProgress,
  runRemainder,
  runResult,
  searchShortfall,
  secondsLeft,
} from './run-words.ts';

const search = (totals: object) => SearchTotals.parse(totals);

describe('how far a run has come', () => {
  test.each<[string, Partial<Run>, string, number | undefined]>([
    ['queued', { state: 'queued' }, 'Waiting to start', undefined],
    ['a search before its first page', { state: 'running' }, 'Searching for businesses', undefined],
    [
      'a search',
      { state: 'running', search: search({ requested: 60, found: 20, kept: 1 }) },
      '1 lead found so far',
      33,
    ],
    [
      'an enrichment',
      { state: 'running', kind: 'enrichment', enrichment: EnrichmentTotals.parse({ domains: 40, domainsDone: 10 }) },
      '10 of 40 websites looked up',
      25,
    ],
    [
      'an enrichment at the websites',
      {
        state: 'running',
        kind: 'enrichment',
        enrichment: EnrichmentTotals.parse({ domains: 48, domainsDone: 8, sites: 40, sitesDone: 12 }),
      },
      'Visiting websites: 12 of 40',
      30,
    ],
    [
      'an enrichment at Hunter, behind the websites',
      {
        state: 'running',
        kind: 'enrichment',
        enrichment: EnrichmentTotals.parse({
          domains: 48,
          domainsDone: 31,
          sites: 40,
          sitesDone: 40,
          sitesFound: 20,
          domainsForHunter: 20,
        }),
      },
      'Asking Hunter: 3 of 20',
      15,
    ],
    [
      'a check',
      { state: 'running', kind: 'compliance', compliance: ComplianceTotals.parse({ numbers: 3, numbersDone: 3 }) },
      '3 of 3 unique numbers checked',
      100,
    ],
  ])('%s', (_name, run, text, percent) => {
    expect(runProgress(aRun(run))).toEqual({ text, percent });
  });
});

test('of several open runs the one that works is shown, else the one that is next', () => {
  const search = aRun({ id: 'done' });
  const emails = aRun({ id: 'emails', kind: 'enrichment', state: 'running' });
  const check = aRun({ id: 'check', kind: 'compliance', state: 'queued' });
  expect(currentRun([check, emails, search])).toBe(emails);
  expect(currentRun([check, { ...emails, state: 'queued' }, search])?.id).toBe('emails');
  expect(currentRun([search])).toBeUndefined();
});

test('a run that has not begun says what it waits behind', () => {
  const behind = { kind: 'enrichment' as const, listName: 'Dentists' };
  expect(queueText({ queue: { behind, ahead: 0 } })).toBe('Waits for the email enrichment of “Dentists”');
  expect(queueText({ queue: { behind, ahead: 3 } })).toBe(
    'Waits for the email enrichment of “Dentists” · 3 of your runs begin before it',
  );
  expect(queueText({ queue: { behind: { ...behind, steps: ['verifier'] }, ahead: 0 } })).toBe(
    'Waits for the email verification of “Dentists”',
  );
  expect(queueText({ queue: { behind: null, ahead: 1 } })).toBe('1 of your runs begins before it');
  expect(queueText({ queue: null })).toBeUndefined();
});

describe('why a search kept fewer than asked', () => {
  test.each<[object, string | undefined]>([
    [{ requested: 60, found: 60, kept: 60 }, undefined],
    [
      { requested: 60, found: 60, kept: 48, outsideRadius: 9, closed: 3 },
      '60 requested · 48 kept · 9 outside 5 miles · 3 closed',
    ],
    [{ requested: 60, found: 20, kept: 19, duplicates: 1 }, '60 requested · 20 found · 19 kept · 1 duplicate'],
    [
      { requested: 60, found: 40, kept: 40, pagesLost: 1 },
      '60 requested · 40 found · 40 kept · 1 page of results lost',
    ],
  ])('%o', (totals, expected) => {
    expect(searchShortfall(search(totals), '5')).toBe(expected);
  });
});

test('the search of an area says what it did not keep', () => {
  expect(areaShortfall(search({ found: 600, kept: 600 }))).toBeUndefined();
  expect(areaShortfall(search({ found: 1_200, kept: 1_150, outsideRadius: 20, duplicates: 30 }))).toBe(
    '1,200 results · 1,150 kept · 20 outside the area · 30 duplicates',
  );
  expect(areaShortfall(search({ found: 20, kept: 20, pagesLost: 2 }))).toBe(
    '20 results · 20 kept · 2 pages of results lost',
  );
});

test('the search of an area counts first, then says how many pages it has', () => {
  const searchFor = { maxResults: 'all', queries: ['dentist'], area: { kind: 'state', code: 'IL' } } as const;
  const progress = (totals: object) =>
    runProgress(aRun({ state: 'running', searchFor: { ...searchFor, queries: ['dentist'] }, search: search(totals) }));
  expect(progress({})).toEqual({ text: 'Counting the places of the area', percent: undefined });
  expect(progress({ found: 300, kept: 280, pages: 15, pagesToBuy: 60 })).toEqual({
    text: '280 leads found so far · 15 of 60 pages bought',
    percent: 25,
  });
  expect(progress({ found: 300, kept: 280 })).toEqual({ text: '280 leads found so far', percent: undefined });
});

test('the time left follows from new answers, not from what was known', () => {
  const startedAt = '2026-11-20T10:00:00Z';
  const at = (seconds: number) => Date.parse(startedAt) + seconds * 1_000;
  const running = (totals: object, more: Partial<Run> = {}) =>
    aRun({ kind: 'enrichment', state: 'running', startedAt, enrichment: EnrichmentTotals.parse(totals), ...more });
  expect(secondsLeft(running({ domains: 10_000, domainsDone: 5_100, domainsKnown: 5_000 }), at(10))).toBe(490);
  expect(secondsLeft(running({ domains: 100, domainsDone: 10 }), at(10))).toBeNull();
  // Websites are visited at their own pace, which says nothing of Hunter's.
  expect(secondsLeft(running({ domains: 90, sites: 80, sitesDone: 40, sitesKnown: 10 }), at(30))).toBe(40);
  const behind = { domains: 90, sites: 80, sitesDone: 80, domainsForHunter: 60, domainsDone: 70 };
  expect(secondsLeft(running(behind), at(30))).toBeNull();
  const waiting = { reason: 'provider_down', until: null } as const;
  expect(secondsLeft(running({ domains: 100, domainsDone: 50 }, { waiting }), at(10))).toBeNull();
  expect(secondsLeft(running({ domains: 100, domainsDone: 50 }, { state: 'completed' }), at(10))).toBeNull();
});

test('an ended enrichment counts what the websites told', () => {
  const totals = { domains: 40, domainsDone: 40, emailsAdded: 12, contactsAdded: 3 };
  const result = (more: object) =>
    runResult(aRun({ kind: 'enrichment', enrichment: EnrichmentTotals.parse({ ...totals, ...more }) }));
  expect(result({})).toBe('40 of 40 websites looked up · 12 emails and 3 contacts added');
  expect(result({ sites: 40, sitesFound: 9 })).toBe(
    '40 of 40 websites looked up · 12 emails and 3 contacts added · 9 websites had an address',
  );
});

test('a site that refuses visits was not looked up, unless Hunter was asked instead', () => {
  const enrichment = EnrichmentTotals.parse({ domains: 4, sites: 4, sitesDone: 4, sitesRefused: 2 });
  const remainder = (steps: Run['steps']) => runRemainder(aRun({ kind: 'enrichment', enrichment, steps }));
  expect(remainder(['open', 'website'])).toBe('not looked up: 2 refused by robots.txt');
  expect(remainder(['website', 'hunter'])).toBeUndefined();
});

test('what was not looked up has its reasons', () => {
  const enrichment = EnrichmentTotals.parse({ withoutWebsite: 15, onSharedHost: 4 });
  expect(runRemainder(aRun({ kind: 'enrichment', enrichment }))).toBe(
    'not looked up: 15 without a website, 4 on a shared or social site',
  );
  expect(runRemainder(aRun({ kind: 'compliance', compliance: ComplianceTotals.parse({ notUs: 2 }) }))).toBe(
    'not checked: 2 not a US number',
  );
  expect(runRemainder(aRun())).toBeUndefined();
});

test('a search that found places and kept none says why', () => {
  const totals = { requested: 60, found: 3, kept: 0 };
  expect(emptySearchReason(search({ ...totals, closed: 3 }))).toBe(
    'Google found 3 places, but none could be kept: 3 permanently closed.',
  );
  expect(emptySearchReason(search({ ...totals, closed: 1, outsideRadius: 1, alreadyListed: 1 }))).toBe(
    'Google found 3 places, but none could be kept: 1 permanently closed, 1 outside the radius, 1 already in your lists.',
  );
  expect(emptySearchReason(search({ ...totals, found: 0 }))).toBeUndefined();
  expect(emptySearchReason(search({ ...totals, kept: 1, closed: 2 }))).toBeUndefined();
  expect(emptySearchReason(undefined)).toBeUndefined();
});

test('a verification counts what it left out in emails', () => {
  const enrichment = EnrichmentTotals.parse({ suppressed: 7, emailsSuppressed: 2, emailsToVerify: 5 });
  const left = (steps: Run['steps']) => runRemainder(aRun({ kind: 'enrichment', steps, enrichment }));
  expect(left(['verifier'])).toBe('not verified: 2 on the suppression list');
  expect(left(['hunter', 'verifier'])).toBe('not looked up: 7 on the suppression list');
});
