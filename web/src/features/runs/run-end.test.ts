import { expect, test } from 'vitest';
import { ComplianceTotals, SearchTotals } from '#contract/work/runs.ts';
import { aRun } from '#web/test-data.ts';
import { longRunEnds } from './run-end.ts';

const at = (second: number) => `2026-11-01T12:00:${String(second).padStart(2, '0')}Z`;
const titles = (run: Parameters<typeof aRun>[0], since = at(0)) =>
  longRunEnds([aRun({ createdAt: at(0), ...run })], since).map(({ title }) => title);

test('only a run of more than 10 seconds is news', () => {
  expect(titles({ finishedAt: at(10) })).toEqual([]);
  expect(titles({ finishedAt: at(11) })).toEqual(['Search complete']);
  expect(titles({ finishedAt: at(11), state: 'failed', kind: 'compliance' })).toEqual(['Compliance check failed']);
});

test('a run is called by what it does', () => {
  const emails = { kind: 'enrichment', finishedAt: at(30) } as const;
  expect(titles({ ...emails, steps: ['hunter', 'verifier'] })).toEqual(['Enrichment complete']);
  expect(titles({ ...emails, steps: ['verifier'] })).toEqual(['Email verification complete']);
  expect(titles({ ...emails, steps: ['verifier'], state: 'failed' })).toEqual(['Email verification failed']);
});

test('a run that brought nothing is no success', () => {
  const end = (run: Parameters<typeof aRun>[0]) =>
    longRunEnds([aRun({ createdAt: at(0), finishedAt: at(30), ...run })], at(0))[0];
  const checked = (verdicts: object) =>
    end({ kind: 'compliance', compliance: ComplianceTotals.parse({ numbers: 3, numbersUncertain: 3, ...verdicts }) });
  expect(checked({})).toMatchObject({ tone: 'info', title: 'Nothing could be checked' });
  expect(checked({ flagged: 1 })).toMatchObject({ tone: 'success', title: 'Compliance check complete' });
  const found = (kept: number) => end({ search: SearchTotals.parse({ kept }) });
  expect(found(0)).toMatchObject({ tone: 'info', title: 'No leads found' });
  expect(found(1)).toMatchObject({ tone: 'success', title: 'Search complete' });
});

test('not one that is at work, was cancelled, or ended before', () => {
  expect(titles({ state: 'running' })).toEqual([]);
  expect(titles({ finishedAt: at(30), state: 'cancelled' })).toEqual([]);
  expect(titles({ finishedAt: at(30) }, at(31))).toEqual([]);
});
