import { expect, test } from 'vitest';
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

test('not one that is at work, was cancelled, or ended before', () => {
  expect(titles({ state: 'running' })).toEqual([]);
  expect(titles({ finishedAt: at(30), state: 'cancelled' })).toEqual([]);
  expect(titles({ finishedAt: at(30) }, at(31))).toEqual([]);
});
