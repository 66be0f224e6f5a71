import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { AreaSearch } from '#contract/work/search/areas.ts';
import { SurveyCount } from '#contract/work/search/surveys.ts';
import { createQueryClient } from '#web/lib/query/query-client.ts';
import { areaCountQuery } from './area-api.ts';
import { AreaPanel } from './area-panel.tsx';
import { useAreaCount } from './use-area-count.ts';

const search: AreaSearch = { maxResults: 'all', queries: ['dentist'], area: { kind: 'state', code: 'KS' } };

const Panel = () => <AreaPanel count={useAreaCount(search)} capMicros={undefined} />;

function show(bySearchOf: string | null): void {
  const queries = createQueryClient();
  const counting = {
    state: 'counting',
    why: null,
    found: 20,
    unlisted: 20,
    leaves: 3,
    freeCalls: 12,
    paidPages: 2,
    boundMicros: 70_000,
    etaSeconds: 40,
    lookUpMicros: 0,
    bySearchOf,
  };
  queries.setQueryData(areaCountQuery(search).queryKey, SurveyCount.parse(counting));
  render(
    <QueryClientProvider client={queries}>
      <Panel />
    </QueryClientProvider>,
  );
}

test('a count can be stopped', () => {
  show(null);
  expect(screen.getByRole('button', { name: 'Stop counting' })).toBeEnabled();
});

test('a count that a search makes names that search, which alone can stop it', () => {
  show('Dentists of Kansas');
  expect(screen.queryByRole('button', { name: 'Stop counting' })).toBeNull();
  expect(screen.getByText(/The search of “Dentists of Kansas” is counting this area/)).toBeVisible();
});
