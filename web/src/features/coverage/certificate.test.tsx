import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { Coverage } from '#contract/work/search/coverage.ts';
import { createQueryClient } from '#web/lib/query/query-client.ts';
import { seedSession, stubServer } from '#web/test-app.tsx';
import { Certificate } from './certificate.tsx';

beforeEach(seedSession);

const RECTANGLE = { south: 396_000_000, west: -898_000_000, north: 399_000_000, east: -895_000_000 };
const COVERAGE: Coverage = {
  area: { label: 'Springfield, IL', spec: { kind: 'zips', codes: ['62701'] }, frames: [RECTANGLE] },
  queries: ['plumber'],
  language: 'en',
  startedAt: '2026-11-27T21:24:00Z',
  finishedAt: '2026-11-27T21:25:00Z',
  passes: 1,
  freeCalls: 1,
  leaves: [{ ...RECTANGLE, query: 'plumber', state: 'complete', ids: ['a'], pages: 1 }],
  outside: [],
  gaps: [],
  uniqueIds: 1,
  partition: { exact: true, why: null },
  unplaced: 0,
  unplacedIds: [],
  outsideIds: 0,
  reprobe: null,
  aggregateMicros: 10_000,
};

test('names its list, and says on paper that its businesses are invented and what was not asked', () => {
  stubServer({});
  render(
    <QueryClientProvider client={createQueryClient()}>
      <Certificate
        listId="list-1"
        list={{ name: 'plumber in Springfield, IL', sandbox: true }}
        coverage={COVERAGE}
        finish={null}
      />
    </QueryClientProvider>,
  );
  expect(screen.getByText(/^plumber in Springfield, IL · sandbox data/)).toBeVisible();
  expect(screen.getByText('Google was not asked.')).toBeInTheDocument();
});
