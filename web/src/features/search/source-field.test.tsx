import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { OpenRelease } from '#contract/work/open-data.ts';
import { sourcesQuery } from '#web/lib/query/open-sources.ts';
import { createQueryClient } from '#web/lib/query/query-client.ts';
import { SourceField } from './source-field.tsx';

const release = (name: string, count: number, searched: OpenRelease['searched']): OpenRelease => ({
  id: count,
  source: name,
  name,
  release: '2026-06',
  license: 'CC0-1.0',
  attribution: name,
  sandbox: searched === 'never',
  loadedAt: '2026-11-26T12:00:00.000Z',
  count,
  searched,
});

function hintOf(...sources: OpenRelease[]) {
  const queries = createQueryClient();
  queries.setQueryData(sourcesQuery.queryKey, { sources });
  render(
    <QueryClientProvider client={queries}>
      <SourceField value="open" onChange={() => undefined} />
    </QueryClientProvider>,
  );
  return expect(screen.getByRole('combobox', { name: 'Source' }));
}

test('says which places a search will read, and no others', () => {
  hintOf(release('city', 1_005, 'first'), release('Overture Places', 12_387, 'never')).toHaveAccessibleDescription(
    '1,005 places of city 2026-06. They may be out of date: check before you call.',
  );
});

test('counts the sources that it does not name', () => {
  hintOf(...['a', 'b', 'c', 'd', 'e'].map((name) => release(name, 1, 'first'))).toHaveAccessibleDescription(
    '5 places of a 2026-06, b 2026-06, c 2026-06 and 2 other sources. They may be out of date: check before you call.',
  );
});

test('says what is read where the others have nothing', () => {
  hintOf(release('city', 1, 'first'), release('OpenStreetMap', 86, 'last')).toHaveAccessibleDescription(
    '1 place of city 2026-06. Where they have nothing: 86 places of OpenStreetMap 2026-06. They may be out of date: check before you call.',
  );
});

test('says that places are invented, where all that are loaded are', () => {
  hintOf({ ...release('Overture Places', 12_387, 'first'), sandbox: true }).toHaveAccessibleDescription(
    '12,387 places of Overture Places 2026-06 (invented). They may be out of date: check before you call.',
  );
});
